import os

import pytest

from exercises.store.pointer import ADDRESS
from tests.exercises.stores import CentreStore, FileStore

os.environ.pop(ADDRESS, None)  # whoever develops may have a database: tests have their own

STORES = ("file", pytest.param("database", marks=pytest.mark.xdist_group("postgres")))
"""Where a journal and a book may be kept; one worker starts the server for all."""


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL that lives as long as the tests; skips, and says so, where none is installed."""
    pytest.importorskip("psycopg", reason="the extra `centre` is not installed")
    from tests.exercises.centre import Postgres, binaries

    programs = binaries()
    if programs is None:
        pytest.skip("PostgreSQL is not installed here: apt-get install postgresql")
    server = Postgres(programs)
    yield server
    server.remove()


@pytest.fixture(scope="session")
def centre_database(postgres):
    """The name of a database that tests share: no two write to the same journal."""
    return postgres.database("centre")


@pytest.fixture
def empty(postgres, monkeypatch):
    """The server, with the address of a database with nothing in it in the environment."""
    database = postgres.database("empty")
    monkeypatch.setenv(ADDRESS, postgres.address(database))
    return CentreStore(postgres, database)


@pytest.fixture
def centre(postgres, centre_database, monkeypatch):
    """The server, with the shared database's address in the environment."""
    monkeypatch.setenv(ADDRESS, postgres.address(centre_database))
    return CentreStore(postgres, centre_database)


@pytest.fixture(params=STORES)
def store(request):
    """What keeps journals and books: files, then a database."""
    return FileStore() if request.param == "file" else request.getfixturevalue("centre")
