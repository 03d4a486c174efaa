"""The debrief pack: what an instructor hands out after the last turn (§17)."""
