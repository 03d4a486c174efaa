"""§2.2: retention is a roughness under every pixel: it holds water back, and takes none away."""

import numpy as np
import pytest

from sim.district import Severity
from sim.rules import Fabric
from sim.water import flow_of
from tests.grounds import district, ground

SLOPE = np.arange(24)[None, ::-1] * 0.3 + np.zeros((6, 1))
# soaked ground and drowned drains: the same rain runs off every fabric
SOAKED = Severity(5, 5.0, 0.0, 1.0)


def gone(fabric):
    """Effective rain and what of it has left a slope of one fabric, m³, as the first films run."""
    flow = flow_of(district(2, 1, fabric=fabric), ground(SLOPE, rows=1), SOAKED, 4)
    flow.advance(4 * 600.0)
    return flow.rain_m3, flow.out_m3


def test_2_2_retention_holds_water_back_as_a_roughness():
    (rain, late), (same_rain, soon) = gone(Fabric.PARK), gone(Fabric.COMMERCIAL)
    assert rain == pytest.approx(same_rain, rel=1e-9)
    # Manning: a film of the same depth runs n times slower
    assert soon / late == pytest.approx(0.45 / 0.08, rel=0.12)
