"""What may be wrong with a database: one sentence, nothing half-made, no password shown."""

import sys
from urllib.parse import quote

import pytest

from exercises.cli import EXIT_USER_FAULT, main
from exercises.journal import JOURNAL, open_journal, read_journal
from exercises.live import LiveExercise, begin
from exercises.store.pointer import ADDRESS, POINTER, pointer_of
from sim.errors import AverseError, ExerciseError, JournalError
from tests.exercises.centre import PASSWORD
from tests.exercises.family_cases import ALL, CASES

pytestmark = pytest.mark.xdist_group("postgres")
CASE = CASES["watch"]


@pytest.fixture
def begun(centre, tmp_path):
    begin(tmp_path / JOURNAL, CASE.family, CASE.scenario, CASE.seed, {})
    centre.keeps(tmp_path)
    return tmp_path / JOURNAL


@pytest.fixture(scope="session")
def roles(postgres, centre_database):
    """Roles of fewer rights: one with a password, one that reads, one by its settings."""
    postgres.sql(
        f"CREATE ROLE keyed LOGIN PASSWORD '{PASSWORD}'",
        "CREATE ROLE reader LOGIN",
        "CREATE ROLE nobody LOGIN",
        "CREATE ROLE careful LOGIN SUPERUSER",
        "ALTER ROLE careful SET default_transaction_read_only = on",
    )
    return postgres


def sentence(call, *arguments):
    with pytest.raises(AverseError) as told:
        call(*arguments)
    said = str(told.value)
    assert "\n" not in said
    assert PASSWORD not in said
    assert quote(PASSWORD, safe="") not in said
    return said


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("", "give the address of the database in AVERSE_DATABASE, as postgresql://"),
        (f"postgres {PASSWORD} example", "cannot be read: write postgresql://user@host/database"),
        (f"postgresql://keyed:{PASSWORD}@host:port/x", "cannot be read: write postgresql://"),
        (f"mysql://keyed:{quote(PASSWORD)}@host/x", "is to be PostgreSQL"),
        (f"postgresql+asyncpg://keyed:{quote(PASSWORD)}@host/x", "is to be PostgreSQL"),
        ("sqlite:///x.db", "is to be PostgreSQL"),
        (f"postgresql://keyed:{quote(PASSWORD)}@/x?nonsense=1", "nonsense"),
    ],
)
def test_an_address_that_is_none_is_told(begun, monkeypatch, given, says):
    monkeypatch.setenv(ADDRESS, given)
    assert says in sentence(open_journal, begun)


def test_a_server_a_database_a_role_or_a_password_that_is_not_there_is_told(
    begun, centre, roles, monkeypatch, tmp_path
):
    server, name = centre.server, centre.database
    for address, says in (
        (server.address(name, folder=tmp_path), "cannot be opened (connection is bad"),
        (server.address("nowhere"), 'database "nowhere" does not exist'),
        (server.address(name, "stranger"), 'role "stranger" does not exist'),
        (server.address(name, "keyed", "not " + PASSWORD), "password authentication failed"),
        (f"postgresql://keyed:{quote(PASSWORD, safe='')}@127.0.0.1:1/x", "port 1 failed"),
    ):
        monkeypatch.setenv(ADDRESS, address)
        said = sentence(open_journal, begun)
        assert says in said
        assert "look at the host, the name, the role and the password of the address" in said
    monkeypatch.setenv(ADDRESS, server.address(name, "keyed", PASSWORD))
    assert "does not let this role do that" in sentence(open_journal, begun)


def test_a_role_that_may_not_write_reads_and_is_told(begun, centre, roles, monkeypatch):
    centre.server.sql(
        "GRANT USAGE ON SCHEMA averse TO reader",
        "GRANT SELECT ON ALL TABLES IN SCHEMA averse TO reader",
        database=centre.database,
    )
    before = read_journal(begun)
    for role, says in (
        ("reader", "does not let this role do that: give it the rights that docs/centre.md names"),
        ("careful", "may only be read by this role, or is a standby"),
    ):
        monkeypatch.setenv(ADDRESS, centre.server.address(centre.database, role))
        assert read_journal(begun) == before
        assert says in sentence(open_journal, begun)


def test_the_rights_that_the_documentation_names_suffice(empty, roles, tmp_path, monkeypatch):
    """A role that owns nothing but the database: it makes the schema and plays."""
    empty.server.sql(f"ALTER DATABASE {empty.database} OWNER TO keyed")
    monkeypatch.setenv(ADDRESS, empty.server.address(empty.database, "keyed", PASSWORD))
    begin(tmp_path / JOURNAL, CASE.family, CASE.scenario, CASE.seed, {})
    empty.keeps(tmp_path)
    with LiveExercise(tmp_path / JOURNAL, ALL) as live:
        assert live.journal.entries == 0
    assert PASSWORD not in (tmp_path / POINTER).read_text()


def test_a_role_that_may_make_nothing_leaves_nothing(empty, roles, tmp_path, monkeypatch):
    from exercises.store.moving import move_in

    monkeypatch.setenv(ADDRESS, empty.server.address(empty.database, "nobody"))
    begin(tmp_path / JOURNAL, CASE.family, CASE.scenario, CASE.seed, {})
    before = (tmp_path / JOURNAL).read_bytes()
    assert "does not let this role do that" in sentence(move_in, [tmp_path])
    assert [path.name for path in tmp_path.iterdir()] == [JOURNAL]
    assert (tmp_path / JOURNAL).read_bytes() == before


def test_a_database_that_does_not_hold_the_exercise_is_told(begun, centre, postgres, monkeypatch):
    from exercises.store.moving import require_database

    other = postgres.database("empty")
    monkeypatch.setenv(ADDRESS, postgres.address(other))
    for opens in (read_journal, open_journal):
        assert "holds no exercise of averse" in sentence(opens, begun)
    require_database()
    was = f"does not hold the journal of {begun.parent}, which was begun in {centre.database} on"
    for opens in (read_journal, open_journal):
        assert was in sentence(opens, begun)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"id": "x", "database": "y"}', '{"id": 5, "database": "y"}', "[" * 99_999],
)
def test_a_file_that_does_not_say_what_is_kept_is_told(tmp_path, text):
    (tmp_path / POINTER).write_text(text)
    for opens in (read_journal, open_journal, pointer_of):
        assert "changed by hand" in sentence(opens, tmp_path / JOURNAL)


def test_a_server_that_keeps_nothing_through_a_power_cut_is_refused(begun, centre):
    centre.server.sql("ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()")
    try:
        while centre.server.sql("SHOW fsync") != [("off",)]:
            pass
        assert "is run with fsync off" in sentence(open_journal, begun)
    finally:
        centre.server.sql("ALTER SYSTEM RESET fsync", "SELECT pg_reload_conf()")
        while centre.server.sql("SHOW fsync") != [("on",)]:
            pass


def test_without_its_libraries_one_sentence_tells_how_to_install_them(begun, monkeypatch):
    for name in [one for one in sys.modules if one.startswith("exercises.store.database")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    with pytest.raises(ExerciseError, match=r'pip install "averse\[centre\]"'):
        read_journal(begun)


def run(capsys, monkeypatch, *arguments):
    """What a command says, and its status."""
    monkeypatch.setattr(sys, "argv", ["averse", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    return ended.value.code, said.err.strip()


def test_serve_tells_it_before_anything_is_written(postgres, capsys, monkeypatch, tmp_path):
    address = postgres.address("nowhere", "keyed", PASSWORD)
    out = tmp_path / "room"
    monkeypatch.setenv(ADDRESS, "")  # what the command puts there is taken out again
    status, said = run(
        *(capsys, monkeypatch, "serve", tmp_path / "pack", "--teams", "Red", "--out", out),
        *("--database", address, "--host", "127.0.0.1", "--port", "0"),
    )
    assert status == EXIT_USER_FAULT
    assert "nowhere" in said
    assert PASSWORD not in said
    assert list(tmp_path.iterdir()) == []


def test_a_journal_that_is_a_file_says_nothing_of_a_database(tmp_path, monkeypatch):
    """The address in the environment is for what is kept there: files are opened as ever."""
    monkeypatch.setenv(ADDRESS, "postgresql://nobody@127.0.0.1:1/nowhere")
    begin(tmp_path / JOURNAL, CASE.family, CASE.scenario, CASE.seed, {})
    open_journal(tmp_path / JOURNAL).close()
    with pytest.raises(JournalError, match="no exercise was begun there"):
        read_journal(tmp_path / "elsewhere" / JOURNAL)
