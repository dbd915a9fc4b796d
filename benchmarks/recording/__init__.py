"""Parts of the ledger benchmark."""
