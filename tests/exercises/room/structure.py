"""How a page is told to who hears it: its landmarks and its headings, by axe-core's own rules."""

import pytest

RULES = (
    "bypass",
    "empty-heading",
    "heading-order",
    "landmark-banner-is-top-level",
    "landmark-complementary-is-top-level",
    "landmark-main-is-top-level",
    "landmark-no-duplicate-banner",
    "landmark-no-duplicate-main",
    "landmark-one-main",
    "landmark-unique",
    "page-has-heading-one",
    "region",
)
_RUN = """rules => axe.run(
  {runOnly: {type: 'rule', values: rules}, resultTypes: ['violations']}
).then(told => told.violations.map(
  one => [one.id, one.nodes.slice(0, 3).map(node => node.target)]))"""
_LANDMARKS = """() => [...document.querySelectorAll('header, main, nav, aside, footer')].filter(
  one => one.checkVisibility()).map(one => one.tagName.toLowerCase())"""


def structure_faults(page):
    """Faults of landmarks and headings, however slight."""
    axe = pytest.importorskip("axe_playwright_python.base")
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(axe.AXE_FILE_PATH.read_text(encoding="utf-8"))
    return page.evaluate(_RUN, list(RULES))


def landmarks(page):
    """Tags of the landmarks that are shown, in their order."""
    return page.evaluate(_LANDMARKS)
