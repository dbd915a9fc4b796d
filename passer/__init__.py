"""PaSSER: find out how a retrieval-augmented generation system should be configured, and prove what was measured."""

__version__ = "0.1.0"
