"""Decoding options of a model, and the ones that a new experiment sets."""

from __future__ import annotations

from pydantic import Field

from passer.domain.base import Frozen, added_field
from passer.domain.defaults import NUM_CTX, NUM_PREDICT, TEMPERATURE

SEEDS = 2**31
"""Seeds are counted modulo this: servers take 31 bits."""
DEFAULT_SEED = 20_260_101
"""Recorded with every run that sets no other."""


class GenerationOptions(Frozen):
    """Decoding options; all that are set are sent and recorded."""

    temperature: float = Field(default=TEMPERATURE, ge=0, le=2)
    """Sampling temperature, 0 to 2; 0 always chooses the most probable token."""
    seed: int = Field(default=DEFAULT_SEED, ge=0, le=2**31 - 1)
    """Seed of the model's random numbers."""
    num_ctx: int = Field(default=NUM_CTX, ge=128, le=10_000_000)
    """Context window in tokens."""
    num_predict: int = Field(default=NUM_PREDICT, ge=1, le=1_000_000)
    """Most tokens generated."""
    top_p: float = Field(default=0.9, gt=0, le=1)
    """Nucleus sampling mass."""
    top_k: int = Field(default=40, ge=1, le=100_000)
    """Candidates per token."""
    repeat_penalty: float | None = added_field(None, ge=0, le=10)
    """Divides the logits of recent tokens; 1 is none. Left out, the server's version decides, and versions differ."""
    repeat_last_n: int | None = added_field(None, ge=-1, le=1_000_000)
    """Number of tokens that count as recent; 0 is none, -1 the window."""
    min_p: float | None = added_field(None, ge=0, le=1)
    """Least probability of a token as a share of the most probable one; 0 is none."""
    typical_p: float | None = added_field(None, ge=0, le=1)
    """Mass of locally typical sampling; 1 is none."""
    presence_penalty: float | None = added_field(None, ge=-2, le=2)
    """Subtracted from the logits of recent tokens."""
    frequency_penalty: float | None = added_field(None, ge=-2, le=2)
    """Subtracted from the logits of recent tokens for each time that they occurred."""
    num_keep: int | None = added_field(None, ge=-1, le=1_000_000)
    """First tokens that Ollama keeps where it cuts a prompt."""
    num_batch: int | None = added_field(None, ge=1, le=1_000_000)
    """Tokens that Ollama reads at a time. Left out, the free memory at loading decides, which changes logits."""
    think: bool | None = added_field(None)
    """True if a model that can think thinks; if left out, the server decides, and Ollama lets it think."""

    @property
    def is_as_before(self) -> bool:
        """Return whether none of the options is set that were added after the first answers had been stored."""
        return len(self.left_open) == len(EXPLICIT)

    @property
    def left_open(self) -> tuple[str, ...]:
        """Return the names of the options that are not set, so that the server's defaults apply."""
        return tuple(name for name in EXPLICIT if getattr(self, name) is None)


EXPLICIT: dict[str, float | int | bool] = {
    "repeat_penalty": 1.0,
    "repeat_last_n": 64,
    "min_p": 0.0,
    "typical_p": 1.0,
    "presence_penalty": 0.0,
    "frequency_penalty": 0.0,
    "num_keep": 4,
    "num_batch": 512,
    "think": False,
}
"""Options that new experiments set, so that no server's version decides them: no penalties, no thinking."""


def explicit_options(**given: float | int | bool) -> GenerationOptions:
    """Return the options of a new experiment that names only these."""
    return GenerationOptions.model_validate(EXPLICIT | given)
