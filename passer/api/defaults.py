"""Settings that apply where a person names none, as the API shows them and the page reads them."""

from __future__ import annotations

from passer.domain import defaults
from passer.domain.analysis.analysis import TruncatedPolicy
from passer.domain.analysis.choices import AS_USUAL, OwnScope
from passer.domain.analysis.study_tables import TCPS_BANDS, BandSetting
from passer.domain.base import Frozen
from passer.domain.composite import MissingPolicy, Normalisation, TcpsWeights
from passer.domain.models.decoding import GenerationOptions, explicit_options
from passer.domain.panel import PanelName
from passer.domain.retrieval.distances import RATINGS, Rated, Rating
from passer.domain.retrieval.passages import Chunking
from passer.domain.retrieval.retriever import Retriever
from passer.domain.retrieval.retriever_names import SHORTHANDS
from passer.domain.verdict.verdict import VerdictRule


class ThresholdRange(Frozen):
    """Similarity thresholds at equal distances."""

    start: float
    """First threshold, -1 to 1."""
    stop: float
    """Last threshold, included."""
    step: float
    """Distance of neighbours."""


class Defaults(Frozen):
    """Settings that apply where a person names none."""

    primary: str = VerdictRule().primary
    """Metric of the verdict."""
    margin: float = defaults.MARGIN
    """Smallest difference of the primary metric that matters."""
    alpha: float = defaults.ALPHA
    """Family-wise error of the verdict, both sides together."""
    panel: PanelName
    """Panel that is recorded with a new sweep."""
    normalisation: Normalisation
    """Bounds of the pools of a new sweep."""
    stability: TcpsWeights = AS_USUAL.stability
    """Weights of T-CPS."""
    bands: BandSetting = AS_USUAL.bands
    """Words for the size of T-CPS gains."""
    band_limits: dict[BandSetting, tuple[float, ...]]
    """Smallest T-CPS gains in percent that are called small, moderate and large, by setting."""
    right_from: float = defaults.RIGHT_FROM
    """Score from which an answer is correct where repeats are compared."""
    missing: MissingPolicy = AS_USUAL.missing
    """Treatment of missing scores in an analysis."""
    truncated: TruncatedPolicy = AS_USUAL.truncated
    """Treatment of truncated prompts and answers in an analysis."""
    scope: OwnScope = AS_USUAL.scope
    """Pool of an analysis."""
    options: GenerationOptions = explicit_options()
    """Decoding options of a new run or sweep."""
    k: int = defaults.K
    """Passages in Normal mode (top-k)."""
    baseline_k: int = defaults.BASELINE_K
    """Passages of a sweep's top-k baseline."""
    max_k: int = defaults.MAX_K
    """Most passages in Score mode (similarity threshold)."""
    k_increment: int = defaults.K_INCREMENT
    """Step by which the published program fetches more passages."""
    games_added: int = defaults.GAMES_ADDED
    """Most games of a configuration that is added to a tournament."""
    elo_orders: int = defaults.ELO_ORDERS
    """Orders of the games over which Elo ratings are averaged."""
    games_rated: int = defaults.GAMES_RATED
    """Games of a tournament that people decide."""
    link_days: int = defaults.LINK_DAYS
    """Days for which the link of a rater is valid."""
    factors: str = defaults.FACTORS
    """Criteria for the better answer in a tournament."""
    least_grade: int = defaults.LEAST_GRADE
    """Grade of a passage below which the judge of a tournament does not read it."""
    rating_limits: dict[Rated, dict[Rating, tuple[float, float]]]
    """Ranges [low, high) of the mean distance, precision and recall at K that each rating covers."""
    thresholds: ThresholdRange
    """Thresholds of a sweep, where the retrieval of its questions suggests no range."""
    warm_up: int = defaults.WARM_UP
    """First questions per model of a timing run, which are excluded from medians."""
    time_margin: float = defaults.TIME_MARGIN
    """Ratios of times between 1 / (1 + margin) and 1 + margin count as the same."""
    score_margin: float = defaults.SCORE_MARGIN
    """Mean differences of scores within this margin count as the same where timings are compared."""
    chunking: Chunking = Chunking()
    """Splitting of documents of a new collection."""
    retrievers: dict[str, Retriever]
    """Retrievers with a short name, by that name."""


_START, _STOP, _STEP = defaults.THRESHOLDS
DEFAULTS = Defaults(
    panel=defaults.PANEL,
    normalisation=defaults.NORMALISATION,
    band_limits={name: tuple(sorted(bound for bound, _ in bands)) for name, bands in TCPS_BANDS.items()},
    rating_limits={rated: {each: (low, high) for low, high, each in limits} for rated, limits in RATINGS.items()},
    thresholds=ThresholdRange(start=_START, stop=_STOP, step=_STEP),
    retrievers=dict(SHORTHANDS),
)
