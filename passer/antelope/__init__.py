"""Everything about Antelope chains: bytes, keys and signatures, a node's client, the ledger on a contract, proofs.

`format` is arithmetic alone; everything else needs the extra `chain`. Only bootstrap, API and command line import this
package: services reach it through the ports `Ledger`, `WalletLedger` and `ChainWitness`.
"""
