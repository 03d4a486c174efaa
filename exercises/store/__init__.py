"""The database of a training centre: journals of exercises and books of rooms, in PostgreSQL.

An exercise or a room is in its folder all the same; only what is written while it is played is in
the database, and a small file says so. ``docs/centre.md`` tells how to set it up.
"""
