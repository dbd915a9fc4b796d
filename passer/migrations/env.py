"""Entry point of Alembic: runs on the connection of the store."""

from alembic import context

from passer.adapters.store.table_parts import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
