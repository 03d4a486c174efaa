"""An exercise at the keyboard: a map of signs, tables, orders in short words (§16, 9).

Whoever types sees the team's view and nothing else: ``seat.py`` alone holds the exercise, the other
modules are given what a team may see.
"""

from exercises.terminal.desk import sit_down

__all__ = ["sit_down"]
