"""What a worker's machine lacks: languages that it cannot judge, each with its remedy."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; workers that are running report nothing until they start anew."""
    op.add_column(
        "worker",
        sa.Column("missing", sa.JSON(), nullable=False, server_default=sa.text("'{}'")),
    )
