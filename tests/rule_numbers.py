"""The numbers of the rule book's rules, and short keys for the rows of its tables: nothing else.

A rule has a test when a test's name begins with its number (``test_9_4_…``); a row has one when
such a test names its key as well, in its own name or among its parameters.
"""

_TABLE = """
1.1
1.2
1.3
1.4
1.5
2    old_town slab_blocks tower_compound commercial industrial urban_village park farmland
2.1
2.2
3.1  expressway primary secondary local none
3.2
3.3  road bridge underpass
3.4
4    free slowed blocking nautical hostile
4.1
4.2
4.3
5    patrol pump station shelter communication
5.1
5.2
6    patrol pump station reports unseen
6.0
6.1
6.2
6.3
6.4
7.1
7.2
7.3
7.4
7.5
7.6
7.7
7.8
8.1
8.2  3_h 14_h 8_h 18_h
8.3
8.4  weekend gathering staffing
8.5
9.1  duty_officer watch_cell partly_staffed full_centre
9.2  pump footbridge clear reserve
9.3  up shelter out
9.4  siren cell_broadcast radio door_to_door word_of_mouth night credibility preparation
9.5  alert protect move link_action door_to_door deliver shelter withdraw reason
9.6
9.7  communication public_order technical sanitation sheltering
10.1 complete patrol blocked
10.2
10.3 expressway primary secondary local footbridge reserved
10.4 counters class_1 sight reports losses rolls
10.5
11   reserve point delivery
12.1 saved left misused victims
12.2
12.3
12.4
12.5
13.0
13.1 accident roadworks jam counter_current crush power_cut rumour reinforcement injunction
13.2 obeying refusing
14   off comfortable tense reflex
15.1 plus_1 zero minus_1 minus_2 minus_3
15.2
16   number road bar forecast alerted evacuated transmission pawn unreachable layers night_mode
17
18   water card channels orders units alerts counters isolation journal
19
"""

RULES: dict[str, tuple[str, ...]] = {
    number: tuple(rows) for number, *rows in (line.split() for line in _TABLE.split("\n") if line)
}
"""Keys of the rows of every rule, by its number, in the book's order."""

NOT_BUILT = frozenset({"15.2"})
"""Rules that nothing in the project pretends to yet: of 15.1 only what a credibility does."""

ROWS = tuple(
    (number, row)
    for number, rows in RULES.items()
    if number not in NOT_BUILT
    for row in ("", *rows)
)
"""Every rule built, and every row of its tables: (number, key), the key '' for the rule itself."""


def numbers_in(name: str) -> tuple[str, ...]:
    """Numbers of the rules that the name of a test begins with.

    >>> numbers_in("test_9_2_10_3_a_reserved_axis"), numbers_in("test_11_one_point")
    (('9.2', '10.3'), ('11',))
    """
    words = name.removeprefix("test_").split("_")
    found = []
    while words and words[0].isdigit():
        size = 2 if ".".join(words[:2]) in RULES else 1
        number = ".".join(words[:size])
        if number not in RULES:
            break
        found.append(number)
        words = words[size:]
    return tuple(found)
