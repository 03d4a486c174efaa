"""The rules of the exercise as a pure engine: no files, no clock, no geography library."""
