"""The room's interface held against its own description: calls that are sound, and that are not.

Schemathesis makes them: every field at its bounds and past them, other types, other methods, no
cookie or a wrong one. `AVERSE_API_EXAMPLES` asks for more of those that are drawn.
"""

import json
import os
from collections import Counter
from contextlib import closing

import pytest
import schemathesis
from schemathesis.config import (
    ChecksConfig,
    CoveragePhaseConfig,
    GenerationConfig,
    PhasesConfig,
    PositiveDataAcceptanceConfig,
    ProjectConfig,
    ProjectsConfig,
    SchemathesisConfig,
    StatefulPhaseConfig,
)
from schemathesis.engine import Status, from_schema
from schemathesis.engine.events import FatalError, NonFatalError, ScenarioFinished
from schemathesis.python.asgi import get_client

from exercises.room.classroom import Classroom
from exercises.room.openapi import described, undescribed
from exercises.room.rooms import Room
from exercises.room.server import app_of
from tests.exercises.room.places import copy_of

EXAMPLES = int(os.environ.get("AVERSE_API_EXAMPLES", "3"))
THOROUGH = EXAMPLES > 3
KINDS = {"forecast", "alert", "reserve", "protect"}
RED = "/t/1-red"
RUNS = (
    # prefix, addresses, whether what is written by the description must be taken, all of its bounds
    (RED, "^/t/[^/]*/api/(?!preview)", True, True),
    (RED, "^/t/[^/]*/api/preview", True, THOROUGH),  # read as orders are
    ("/p", "^/p/", False, True),
    # forms and a debrief take long to write
    ("/i", "^/i/(?!api/(advance|end|debrief|forms))", False, True),
    ("/i", "^/i/api/(advance|end)", False, True),
    # all is over by now
    (RED, "^/t/[^/]*/api/(now|proof)", False, False),
    ("/p", "^/p/", False, False),
    ("/i", "^/i/api/(now|turn|card)", False, False),
)


@pytest.fixture
def classroom(whole_room, pack, tmp_path):
    with (
        Room(copy_of(whole_room, tmp_path / "room")) as room,
        closing(Classroom(room, pack)) as opened,
    ):
        yield opened


def document(app, room):
    """The description; of a hundred hexes three are tried, of a dozen kinds of order a few."""
    told = described(app.routes, room.desk(room.keys[0]).district, room.keys)
    for name in ("hex", "link"):
        del told["components"]["schemas"][name]["enum"][3:]
    for kind in () if THOROUGH else ("orders", "preview"):
        sent = told["paths"][f"/t/{{key}}/api/{kind}"]["post"]["requestBody"]["content"]
        order = sent["application/json"]["schema"]["properties"]["order"]
        order["oneOf"] = [one for one in order["oneOf"] if one["title"] in KINDS]
    return told


def run(app, room, token, addresses, *, taken, bounds):
    """Make the calls of some addresses; return how many were answered how, and what was wrong."""
    asked = ProjectConfig(
        headers={"Cookie": f"averse={token}"},
        continue_on_failure=True,
        workers=1,
        checks=ChecksConfig(positive_data_acceptance=PositiveDataAcceptanceConfig(enabled=taken)),
        generation=GenerationConfig(
            deterministic=True,
            database="none",
            max_examples=EXAMPLES,
            no_shrink=True,
            with_security_parameters=False,
        ),
        phases=PhasesConfig(
            coverage=CoveragePhaseConfig(enabled=bounds),
            stateful=StatefulPhaseConfig(enabled=False),
        ),
    )
    config = SchemathesisConfig(seed=1, projects=ProjectsConfig(default=asked))
    schema = schemathesis.openapi.from_dict(document(app, room), config=config)
    schema.app = app
    answered, wrong = Counter(), {}
    for event in from_schema(schema.include(path_regex=addresses)).execute():
        assert not isinstance(event, NonFatalError | FatalError), event
        if isinstance(event, ScenarioFinished):
            answered.update(
                (event.recorder.label, one.response.status_code)
                for one in event.recorder.interactions.values()
            )
            wrong |= dict(faults(event.recorder))
    return answered, wrong


def faults(recorder):
    for case, checks in recorder.checks.items():
        for check in checks:
            if check.status is Status.FAILURE:
                answer = recorder.interactions[case].response
                sent = recorder.cases[case].value.as_curl_command()
                told = f"{sent:.600}\n{answer.status_code} {answer.content[:300]!r}"
                yield (recorder.label, check.name), told


def test_every_call_answers_as_it_is_described_and_refuses_what_is_not(classroom):
    app, room = app_of(classroom), classroom.room
    answered, wrong = Counter(), {}
    for prefix, addresses, taken, bounds in RUNS:
        token = classroom.session(prefix)
        more, faulty = run(app, room, token, addresses, taken=taken, bounds=bounds)
        answered += more
        wrong |= faulty
    assert not wrong, "\n\n".join(f"{name}\n{told}" for name, told in wrong.items())
    assert {status for _, status in answered} >= {200, 400, 403, 404, 405, 409}
    # every call was once as it should be, and once without its cookie
    calls = {label for label, _ in answered}
    # none was written, and no list of injects is drawn by chance
    never = {"GET /i/files/debrief.zip", "POST /i/api/injects"}
    assert calls - {label for label, status in answered if status == 200} <= never
    assert calls - {label for label, status in answered if status == 403} <= never
    assert room.moment("1-red").all_over


def test_every_call_is_described_and_the_instructor_alone_reads_it(classroom):
    app = app_of(classroom)
    assert undescribed(app.routes) == []
    client = get_client(app)
    for prefix, status in (("/i", 200), ("/p", 403), (RED, 403)):
        cookie = {"cookie": f"averse={classroom.session(prefix)}"}
        answer = client.get("/i/api/openapi.json", headers=cookie)
        assert answer.status_code == status
    text = json.dumps(described(app.routes, classroom.room.desk("1-red").district, ("1-red",)))
    assert classroom.room.world.seed not in text
