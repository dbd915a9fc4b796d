"""The ports `Ledger` and `WalletLedger` on a contract."""
