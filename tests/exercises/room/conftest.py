import pytest

from exercises.room.boards import draw_boards
from tests.exercises.room.places import begun
from tests.gis.hand_pack import lattice, write_hand_pack

PLACED = {"crs": "EPSG:32631", "first_hex_m": [lattice().x0, lattice().y0]}


@pytest.fixture(scope="session")
def pack(tmp_path_factory):
    return write_hand_pack(tmp_path_factory.mktemp("town") / "pack", **PLACED)


@pytest.fixture(scope="session")
def whole_room(pack, tmp_path_factory):
    """A room of two teams that nobody opens: copied by whoever wants one."""
    room = begun(pack, tmp_path_factory.mktemp("rooms") / "room")
    draw_boards(room, pack)
    return room
