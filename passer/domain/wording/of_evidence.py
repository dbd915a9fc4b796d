"""What the evidence behind gains comes to, of one study and of two domains side by side."""

from __future__ import annotations

_SPLITS = "{model}: of {splits} half splits of {n} questions {share:.0%} take"
_RULE = "(gains significantly (Holm, .05), then highest T-CPS)"
_CONFIRMED = (
    "the gain confirmed on the other half is {gain:+.2f} points (from {low:+.2f} to {high:+.2f}), the optimism of "
    "choosing {optimism:+.2f}; in CPS on constants of this model's halves."
)
_BEST = "{model}: best threshold {one} in {first}, {other} in {second};"

TEMPLATES: dict[str, str] = {
    "evidence.nothing": "Nothing is compared, because no model has a baseline.",
    "evidence.corrected": (
        "p values are corrected over {n} comparisons; sign flips: {draws:,} draws, smallest p {smallest:.1g}."
    ),
    "evidence.profile": (
        "{model}: {gains} of {tested} thresholds gain significantly (max-T), {losses} lose: the response is {kind}."
    ),
    "profile.broad": "broad",
    "profile.narrow": "narrow",
    "profile.mixed": "mixed",
    "profile.none": "none",
    "evidence.splits-threshold": f"{_SPLITS} threshold {{threshold:g}} {_RULE}; {_CONFIRMED}",
    "evidence.splits-baseline": f"{_SPLITS} the baseline {_RULE}; {_CONFIRMED}",
    "crossing.not-comparable": f"{_BEST} the gains are not comparable: different constants.",
    "crossing.untested": f"{_BEST} no threshold could be tested in both (RQ3).",
    "crossing.differs": (f"{_BEST} the gain differs between the domains at {{at}} (RQ3, max-T, of {{n}} thresholds)."),
    "crossing.does-not-differ": (
        f"{_BEST} the gain could not be shown to differ at any of {{n}} thresholds (RQ3, max-T)."
    ),
    "crossing.best": "{threshold:g} ({gain:+.2f} points)",
    "crossing.no-best": "none",
    "crossing.same-order": "The models rank alike in both domains, by T-CPS at their best thresholds.",
    "crossing.other-order": (
        "The models rank otherwise in the two domains, by T-CPS at their best thresholds: {models} move."
    ),
}
