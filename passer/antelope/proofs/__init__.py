"""The port `ChainWitness`: proofs that a chain contains recorded transactions."""
