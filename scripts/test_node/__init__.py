"""One Antelope node with the contract `llmtest`, for tests and demos: docs/scaling.md says what it does not prove.

`python -m scripts.test_node --help`. The wheel that holds the node is unpacked by the Dockerfile, or by `make nodeos`.
"""
