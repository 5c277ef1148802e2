"""What a worker's machine needs for tier A of the sandbox, where it has a weaker tier."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; workers that are running say nothing until they start anew."""
    op.add_column(
        "worker", sa.Column("fix", sa.Text(), nullable=False, server_default=sa.text("''"))
    )
