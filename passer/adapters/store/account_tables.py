"""Tables of accounts; they belong to the metadata of `schema`."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, String, Table

from passer.adapters.store.table_parts import Moment, metadata

accounts = Table(
    "accounts",
    metadata,
    Column("name", String(60), primary_key=True),
    Column("password", String(300), nullable=False),
    Column("created_at", Moment(), nullable=False),
    Column("signed_in_at", Moment()),
)

memberships = Table(
    "memberships",
    metadata,
    Column("account", String(60), ForeignKey("accounts.name"), primary_key=True),
    Column("project", String(40), primary_key=True),
    Column("role", String(12), nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("account", String(60), ForeignKey("accounts.name"), nullable=False, index=True),
    Column("expires_at", Moment(), nullable=False),
)

recovery_links = Table(
    "recovery_links",
    metadata,
    Column("account", String(60), ForeignKey("accounts.name"), primary_key=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("expires_at", Moment(), nullable=False),
)

identities = Table(
    "identities",
    metadata,
    Column("issuer", String(300), primary_key=True),
    Column("subject", String(255), primary_key=True),
    Column("account", String(60), ForeignKey("accounts.name"), nullable=False, index=True),
    Column("added_at", Moment(), nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("account", String(60), ForeignKey("accounts.name"), nullable=False, index=True),
    Column("name", String(100), nullable=False),
    Column("scope", String(12), nullable=False),
    Column("project", String(40)),
    Column("digest", String(64), nullable=False, unique=True),
    Column("created_at", Moment(), nullable=False),
    Column("expires_at", Moment()),
    Column("last_used_at", Moment()),
)
