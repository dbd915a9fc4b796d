"""Settings that apply where a person names none: the one place that the domain, command line, API and page read.

It imports nothing, so that the help of a command can state its defaults without loading the domain.
"""

from __future__ import annotations

from typing import Final

MARGIN = 0.02
"""Smallest difference of the primary metric that matters, on a scale from 0 to 1."""
ALPHA = 0.05
"""Family-wise error of the verdict, both sides together."""
TCPS_ALPHA = 0.1
"""Weight of stability (1 - CV) in T-CPS, as published."""
TCPS_BETA = 0.05
"""Weight of the penalty CV^2 in T-CPS, as published; it is not multiplied by the mean."""
RIGHT_FROM = 0.5
"""Score from which an answer counts as right where repeats are compared."""
PANEL: Final = "text-1"
"""Panel that is recorded with a new sweep."""
NORMALISATION: Final = "winsorised"
"""Bounds of the pools of a new sweep."""

K = 10
"""Passages in Normal mode (top-k)."""
BASELINE_K = 5
"""Passages of a sweep's top-k baseline: a usual setting of a first system."""
MAX_K = 100
"""Most passages in Score mode (similarity threshold)."""
K_INCREMENT = 2
"""Step by which the published program fetches more passages; no result depends on it."""
GAMES_ADDED = 40
"""Most games that a configuration plays when it is added to a tournament."""
ELO_ORDERS = 500
"""Orders of the games over which Elo ratings are averaged."""
GAMES_RATED = 60
"""Games of a tournament that people decide."""
LINK_DAYS = 30
"""Days for which the link of a rater is valid."""
FACTORS = "correctness, helpfulness, completeness, accuracy, depth and level of detail"
"""Criteria for the better answer in a tournament."""
LEAST_GRADE = 2
"""Grade of a passage below which the judge of a tournament does not read it."""
THRESHOLDS = (0.50, 0.95, 0.05)
"""First, last and step of a sweep's thresholds, where the retrieval of its questions suggests no range."""

TEMPERATURE = 0.2
"""Sampling temperature."""
NUM_CTX = 4096
"""Context window in tokens."""
NUM_PREDICT = 512
"""Most tokens generated."""
WARM_UP = 3
"""First questions per model of a timing run, which are excluded from medians."""

TIME_MARGIN = 0.10
"""Ratios of times between 1 / 1.1 and 1.1 count as the same."""
SCORE_MARGIN = 0.01
"""Mean differences of scores within one point count as the same."""

CHUNK_SIZE = 1024
"""Largest passage of a new collection, in characters."""
CHUNK_OVERLAP = 50
"""Characters that neighbouring passages share."""
