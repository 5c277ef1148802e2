"""What a package's own checker said of a case, for staff."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; of what was judged before nothing is known."""
    op.add_column(
        "test_result", sa.Column("note", sa.Text(), nullable=False, server_default=sa.text("''"))
    )
