"""Steps by which the schema of a centre's database came to be, run by Alembic."""
