"""What a user can mend: every error says where, what was found, and what to do."""


class AverseError(Exception):
    """A fault in what the user gave, told in one sentence; the command ends with status 2."""


class SourceError(AverseError):
    """A file of the town (OSM extract, DEM, population) that cannot be used."""


class DistrictError(AverseError):
    """A ground that cannot be played: no shelter, no road, cut into pieces."""


class OrderError(AverseError):
    """A file of orders that cannot be read; an order refused in play is an event instead."""


class ExerciseError(AverseError):
    """Settings of an exercise that the rules do not allow."""


class DebriefError(AverseError):
    """Exercises that cannot be debriefed, or not together."""


class JournalError(AverseError):
    """A journal that cannot be read, written or believed."""
