"""Journals: only added to, by the next entry alone."""

import sqlalchemy as sa
from alembic import op

revision = "journals"
down_revision = None
branch_labels = None
depends_on = None

SCHEMA = "averse"
HASHES = ("state_sha256", "previous_sha256", "sha256")


def upgrade() -> None:
    """Make the tables, and what keeps them."""
    op.create_table(
        "journals",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("meta", sa.Text, nullable=False),
        sa.Column("scenario", sa.LargeBinary, nullable=False),
        sa.Column(
            "begun_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()
        ),
        sa.CheckConstraint("id ~ '^[0-9a-f]{32}$'"),
        schema=SCHEMA,
    )
    op.create_table(
        "entries",
        sa.Column("journal", sa.Text, sa.ForeignKey(f"{SCHEMA}.journals.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("side", sa.Text, nullable=False),
        sa.Column("seat", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in HASHES),
        sa.UniqueConstraint("journal", "sha256"),
        sa.CheckConstraint("kind IN ('order', 'advance', 'act')"),
        *(sa.CheckConstraint(f"length({name}) = 64") for name in HASHES),
        schema=SCHEMA,
    )
    op.execute(
        f"""CREATE FUNCTION {SCHEMA}.only_added_to() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'a journal is only added to' USING ERRCODE = 'restrict_violation';
        END $$"""
    )
    op.execute(
        f"""CREATE FUNCTION {SCHEMA}.in_turn() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF NEW.number IS DISTINCT FROM (
                SELECT coalesce(max(number), 0) + 1
                FROM {SCHEMA}.entries WHERE journal = NEW.journal
            ) THEN
                RAISE EXCEPTION 'a journal is only added to' USING ERRCODE = 'restrict_violation';
            END IF;
            RETURN NEW;
        END $$"""
    )
    op.execute(
        f"""CREATE TRIGGER in_turn BEFORE INSERT ON {SCHEMA}.entries
        FOR EACH ROW EXECUTE FUNCTION {SCHEMA}.in_turn()"""
    )
    for table in ("journals", "entries"):
        op.execute(
            f"""CREATE TRIGGER only_added_to BEFORE UPDATE OR DELETE ON {SCHEMA}.{table}
            FOR EACH ROW EXECUTE FUNCTION {SCHEMA}.only_added_to()"""
        )
        op.execute(
            f"""CREATE TRIGGER never_emptied BEFORE TRUNCATE ON {SCHEMA}.{table}
            FOR EACH STATEMENT EXECUTE FUNCTION {SCHEMA}.only_added_to()"""
        )


def downgrade() -> None:
    """Take the tables away, while no exercise is in them."""
    (held,) = op.get_bind().execute(sa.text(f"SELECT count(*) FROM {SCHEMA}.journals")).one()
    if held:
        raise ValueError(f"{held} journals would be lost: write them out by averse export-journal")
    op.drop_table("entries", schema=SCHEMA)
    op.drop_table("journals", schema=SCHEMA)
    op.execute(f"DROP FUNCTION {SCHEMA}.in_turn(), {SCHEMA}.only_added_to()")
