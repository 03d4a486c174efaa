"""What is said of a game in which there is next to nothing to save (§7.6, 12.2)."""

from exercises.voice import Voice
from sim.rules import TURNS
from sim.window import threatened_share
from sim.world import World

WORTH_PLAYING = 0.01
"""Share of those to shelter that a storm threatens at least, where a team has something to save."""


def mild_storm(world: World, say: Voice) -> str:
    """Return what is said where a storm threatens almost nobody while it is played; else ''.

    Such a game has next to nothing to save: its score tells of the storm, not of the team (§12.2).
    """
    if threatened_share(world) >= WORTH_PLAYING:
        return ""
    if world.turns < TURNS:
        return short_play(world, say) or say.phrase(
            "In its {turns} turns this storm threatens almost nobody, so there was next to nothing "
            "to save: play more turns, or a stronger storm (--level 5)",
            turns=world.turns,
        )
    return say.phrase(
        "This storm threatens almost nobody, so there was next to nothing to save: play --level 5, "
        "or let averse calibrate find levels that threaten this town"
    )


def short_play(world: World, say: Voice) -> str:
    """Return what is said where play ends before anyone is cut off from every shelter; else ''."""
    if world.turns >= TURNS or world.threatened.any():
        return ""
    return say.phrase(
        "Play ends after turn {turns}, before anyone is cut off: there are 0 points to win; give "
        "more turns (--turns {usual} is the usual length)",
        turns=world.turns,
        usual=TURNS,
    )
