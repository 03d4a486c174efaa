"""Books of rooms: who may come in, and what their instructors have in store."""

import sqlalchemy as sa
from alembic import op

revision = "books"
down_revision = "journals"
branch_labels = None
depends_on = None

SCHEMA = "averse"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "rooms",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column(
            "begun_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()
        ),
        sa.CheckConstraint("id ~ '^[0-9a-f]{32}$'"),
        schema=SCHEMA,
    )
    for table, key, value in (("tokens", "sha256", "prefix"), ("kept", "name", "value")):
        op.create_table(
            table,
            sa.Column("room", sa.Text, sa.ForeignKey(f"{SCHEMA}.rooms.id"), primary_key=True),
            sa.Column(key, sa.Text, primary_key=True),
            sa.Column(value, sa.Text, nullable=False),
            schema=SCHEMA,
        )


def downgrade() -> None:
    """Take the tables away: links that were handed out open nothing any more."""
    for table in ("kept", "tokens", "rooms"):
        op.drop_table(table, schema=SCHEMA)
