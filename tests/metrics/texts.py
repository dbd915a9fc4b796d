"""Pairs of texts with what makes tokenizers differ: quotes, abbreviations, numbers, markdown, other scripts."""

from __future__ import annotations

PAIRS: tuple[tuple[str, str], ...] = (
    ("The cat sat on the mat.", "The cat sat on the mat."),
    ("The cat sat on the mat.", "A dog slept under the table, didn't it?"),
    (
        "Adaptation (to climate change): Adjustments to current or expected climate variability. It moderates harm.",
        "Climate adaptation means:\n\n1. Adjusting to variability, e.g. by irrigation;\n2. moderating harm... It can't "
        "wait! Farmers' costs rose 3.5% vs. 2019 (U.S. $1,200).",
    ),
    (
        "Soil carbon sequestration removes CO2 from the atmosphere and stores it in the soil carbon pool.",
        '**Soil carbon** is stored -- as the report says: "CO2 is removed from the air". Dr. Smith & co. gonna agree; '
        "it's 1,000.5 tonnes/ha... or isn't it?",
    ),
    ("Photosynthesis turns light into sugar.", "light sugar"),
    ("One. Two. Three.", "Three. Two. One."),
    ("a b c d e f g h i", "A B C D E F G H I"),
    ("Naive cafe — “quoted” text…", "naive cafe - 'quoted' text ..."),
    (
        "The committee's members' opinions differed; they'd said so.",
        "They said that the members' opinions don't agree.",
    ),
    ("word " * 60, "word " * 20 + "other " * 5),
    ("Run and jump, running and jumping happily.", "He runs and jumps; happiness runs."),
    ("The automobile was quick and the physician was glad.", "The car was fast and the doctor was happy."),
)
