"""Alembic's door: it runs the steps on the connection that it is handed, in its transaction."""

from alembic import context

from exercises.store.tables import METADATA, SCHEMA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    include_schemas=True,
    version_table_schema=SCHEMA,
)
with context.begin_transaction():
    context.run_migrations()
