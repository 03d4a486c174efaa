"""The schema of a centre's database: its steps, who takes them, and whose tables are left alone."""

import threading
from contextlib import contextmanager

import pytest

from exercises.journal import JOURNAL, open_journal, read_journal
from exercises.live import LiveExercise, begin
from sim.errors import JournalError
from tests.exercises.family_cases import ALL, CASES
from tests.exercises.forked import CAN_FORK, forked

pytestmark = pytest.mark.xdist_group("postgres")
CASE = CASES["watch"]


def begun(folder, store):
    begin(folder / JOURNAL, CASE.family, CASE.scenario, CASE.seed, {})
    store.keeps(folder)
    return folder / JOURNAL


@contextmanager
def alembic(store):
    """Alembic's own commands on a database, as whoever looks after it may run them."""
    from alembic import command
    from sqlalchemy import create_engine

    from exercises.store.schema import alembic_config

    engine = create_engine(store.server.address(store.database))
    with engine.begin() as connection:
        config = alembic_config(connection)
        yield lambda name, *arguments: getattr(command, name)(config, *arguments)
    engine.dispose()


def tables(store):
    return {
        name
        for (name,) in store.server.sql(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'averse'", database=store.database
        )
    }


def test_the_steps_make_what_is_read_and_written(empty, tmp_path):
    begun(tmp_path, empty)
    with alembic(empty) as run:
        run("check")  # raises where the tables are not those of tables.py


def test_every_step_is_known_by_its_name(empty):
    from alembic.script import ScriptDirectory

    from exercises.store.schema import REVISIONS, alembic_config

    script = ScriptDirectory.from_config(alembic_config(None))
    assert tuple(one.revision for one in script.walk_revisions())[::-1] == REVISIONS


def test_an_earlier_schema_is_brought_up_to_date_and_its_exercises_go_on(empty, tmp_path):
    path = begun(tmp_path, empty)
    with LiveExercise(path, ALL) as live:
        live.advance(CASE.steps[1]) if isinstance(CASE.steps[1], int) else live.give(CASE.steps[1])
    before = read_journal(path)
    with alembic(empty) as run:
        run("downgrade", "journals")
    assert tables(empty) == {"journals", "entries", "alembic_version"}
    # whoever only reads changes nothing
    with pytest.raises(JournalError, match="is of version journals, this averse reads books"):
        read_journal(path)
    open_journal(path).close()
    assert {"rooms", "tokens", "kept"} < tables(empty)
    assert read_journal(path) == before
    with alembic(empty) as run:
        run("check")


def test_a_step_back_never_drops_an_exercise(empty, tmp_path):
    path = begun(tmp_path, empty)
    with pytest.raises(ValueError, match="1 journals would be lost"), alembic(empty) as run:
        run("downgrade", "base")
    assert len(read_journal(path).entries) == 0


def test_without_exercises_all_of_it_can_be_taken_away_and_made_again(empty, tmp_path):
    from exercises.store.moving import require_database

    require_database()
    with alembic(empty) as run:
        run("downgrade", "base")
    assert tables(empty) == {"alembic_version"}
    functions = "SELECT 1 FROM pg_proc WHERE pronamespace = 'averse'::regnamespace"
    assert empty.server.sql(functions, database=empty.database) == []


@pytest.mark.skipif(not CAN_FORK, reason="needs os.fork")
def test_servers_that_start_together_do_not_race(empty):
    told = []

    def start(tell):
        from exercises.store.moving import require_database

        require_database()
        tell("made")

    threads = [threading.Thread(target=lambda: told.extend(forked(start))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == ["made"] * 3
    with alembic(empty) as run:
        run("check")


def test_another_programs_tables_are_left_alone(empty, tmp_path):
    empty.server.sql(
        "CREATE TABLE entries (theirs text)",
        "INSERT INTO entries VALUES ('kept')",
        "CREATE TABLE alembic_version (version_num text)",
        "INSERT INTO alembic_version VALUES ('theirs')",
        database=empty.database,
    )
    begun(tmp_path, empty)
    theirs = "SELECT theirs, version_num FROM public.entries, public.alembic_version"
    assert empty.server.sql(theirs, database=empty.database) == [("kept", "theirs")]


@pytest.mark.parametrize(
    ("made", "says"),
    [
        (("CREATE TABLE averse.entries (theirs text)",), "holds tables of another program"),
        (
            (
                "CREATE TABLE averse.alembic_version (version_num text)",
                "INSERT INTO averse.alembic_version VALUES ('paging')",
            ),
            "is of version paging, this averse reads books: open it with the averse that wrote it",
        ),
        (("CREATE TABLE averse.alembic_version (theirs text)",), "was changed by hand"),
    ],
)
def test_a_schema_that_is_not_this_averses_is_told_and_left_alone(empty, made, says):
    from exercises.store.moving import require_database

    empty.server.sql("CREATE SCHEMA averse", *made, database=empty.database)
    before = tables(empty)
    with pytest.raises(JournalError, match=says) as told:
        require_database()
    assert "\n" not in str(told.value)
    assert empty.database in str(told.value)
    assert tables(empty) == before
