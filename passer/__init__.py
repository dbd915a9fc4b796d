"""PaSSER: find out how a retrieval-augmented generation system should be configured, and prove what was measured.

import passer

table = passer.score(references=["Clover fixes nitrogen."], answers=["Nitrogen is fixed by clover."])
table.columns, table.values

with passer.open("research") as home:
    home.example("organic-farming")
    sweep = home.sweep("configs/offline-example.yaml")
    rows = home.rows(sweep, "composites")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["__version__", "evaluate", "open", "score"]

if TYPE_CHECKING:
    from passer.bootstrap.home import evaluate
    from passer.bootstrap.home import open_home as open
    from passer.bootstrap.scoring import score


def __getattr__(name: str) -> Any:
    """Import `evaluate`, `open` and `score` on first use, so that `import passer` stays fast."""
    if name == "score":
        from passer.bootstrap.scoring import score

        return score
    if name == "evaluate":
        from passer.bootstrap.home import evaluate

        return evaluate
    if name == "open":
        from passer.bootstrap.home import open_home

        return open_home
    raise AttributeError(f"module 'passer' has no attribute {name!r}")
