"""A real nodeos for tests, benchmarks and demos: on loopback, in a fresh directory, with generated keys.

    with booted_chain(folder) as chain:
        chain.push(action, keys=[chain.key("researcher1")])

By hand: `python -m tests.chain` boots one and prints its address and keys as JSON.
"""
