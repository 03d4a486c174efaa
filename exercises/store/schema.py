"""Brings the schema of a centre's database to what this averse reads; refuses what is not its own.

Alembic runs the steps, inside one transaction and under a lock: of two servers that start together
one finds the work done.
"""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from exercises.store.faults import FaultError
from exercises.store.tables import SCHEMA
from sim.refusal import refuse

REVISIONS = ("journals", "books")
"""All steps, the first first."""
_MIGRATIONS = Path(__file__).parent / "migrations"
_STARTING = 0x61766572_73650000  # "averse"
"""Advisory lock of whoever brings a database up to date."""


def alembic_config(connection: Connection) -> Config:
    """Return what Alembic wants to know, to run on a connection."""
    config = Config()
    # a percent sign stands for something in such a file
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def revision_of(connection: Connection) -> str | None:
    """Return the step that a database stands at; None where there is nothing of averse in it.

    Raises
    ------
    FaultError
        If another program has its tables there, or a later averse wrote it.
    """
    (there,) = connection.execute(
        text("SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace(:schema)"),
        {"schema": SCHEMA},
    ).one()
    if not there:
        return None
    found: list[str] = []
    if connection.execute(
        text("SELECT to_regclass(:table)"), {"table": f"{SCHEMA}.alembic_version"}
    ).scalar():
        rows = connection.execute(text(f"SELECT version_num FROM {SCHEMA}.alembic_version"))
        found += (str(row[0]) for row in rows)
    if not found:
        raise FaultError(
            refuse(
                "",
                "holds tables of another program in the schema {schema}: give another "
                "database, or have that schema renamed",
                schema=str(SCHEMA),
            )
        )
    if len(found) > 1 or found[0] not in REVISIONS:
        raise FaultError(
            refuse(
                "",
                "is of version {found}, this averse reads {revisions}: open it with the "
                "averse that wrote it",
                found=f"{', '.join(sorted(found)):.60}",
                revisions=str(REVISIONS[-1]),
            )
        )
    return found[0]


def bring_up_to_date(connection: Connection, *, may_change: bool, may_begin: bool) -> None:
    """Run the steps that a database lacks, in the transaction that is open.

    Parameters
    ----------
    connection : Connection
    may_change, may_begin : bool
        Whether an earlier schema may be changed, and one be made where there is none.

    Raises
    ------
    FaultError
        If it is not averse's, of a later one, or may not be changed.
    """
    found = revision_of(connection)
    if found == REVISIONS[-1]:
        return
    if found is None and not may_begin:
        raise FaultError(
            refuse("", "holds no exercise of averse: give the address of the one it was begun in")
        )
    if not may_change:
        raise FaultError(
            refuse(
                "",
                "is of version {found}, this averse reads {revisions}: open a room in it "
                "once, which brings it up to date",
                found=str(found),
                revisions=str(REVISIONS[-1]),
            )
        )
    connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _STARTING})
    if revision_of(connection) == REVISIONS[-1]:
        return  # another server was first
    has = connection.execute(text("SELECT to_regnamespace(:schema)"), {"schema": SCHEMA}).scalar()
    if not has:  # who may not make one may have been given one
        connection.execute(text(f"CREATE SCHEMA {SCHEMA}"))
    command.upgrade(alembic_config(connection), "head")
