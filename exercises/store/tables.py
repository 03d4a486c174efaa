"""The tables of a centre's database, as its migrations make them.

All are in a schema of their own, so that the database may hold other programs' tables too.
"""

import json
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    func,
)

from exercises.journal import canonical

SCHEMA = "averse"


class Exact(TypeDecorator[str]):
    """A text as canonical JSON, in ASCII.

    PostgreSQL's own texts hold no U+0000, and a database may be in an encoding that lacks signs.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Any) -> str | None:
        """Write a text."""
        return None if value is None else canonical(value)

    def process_result_value(self, value: str | None, dialect: Any) -> str | None:
        """Read a text."""
        return None if value is None else str(json.loads(value))


METADATA = MetaData(schema=SCHEMA)

JOURNALS = Table(
    "journals",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("meta", Text, nullable=False),
    Column("scenario", LargeBinary, nullable=False),
    Column("begun_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
)
"""``meta`` is the head of a journal as canonical JSON, ``scenario`` its scenario as in a file."""

ENTRIES = Table(
    "entries",
    METADATA,
    Column("journal", Text, ForeignKey(JOURNALS.c.id), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("side", Exact, nullable=False),
    Column("seat", Exact, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
    Column("reason", Exact, nullable=False),
    Column("state_sha256", Text, nullable=False),
    Column("previous_sha256", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    UniqueConstraint("journal", "sha256"),
)

ROOMS = Table(
    "rooms",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("begun_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
)

TOKENS = Table(
    "tokens",
    METADATA,
    Column("room", Text, ForeignKey(ROOMS.c.id), primary_key=True),
    Column("sha256", Text, primary_key=True),
    Column("prefix", Exact, nullable=False),
)

KEPT = Table(
    "kept",
    METADATA,
    Column("room", Text, ForeignKey(ROOMS.c.id), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("value", Exact, nullable=False),
)
