"""Everything that can go wrong, as one tree. Each message is one sentence that says what to do.

PasserError
├── InputError                what was given is wrong; names the field or row
│   ├── DatasetError          a question file is refused whole, with every bad row
│   ├── DocumentError         a document cannot be read
│   ├── TooLargeError         an upload beyond the limit
│   └── ConfigError           a setting, an experiment file or a policy is wrong
├── NotFoundError             no such collection, dataset, run, ...
├── ConflictError             it exists already, or its state does not allow this
│   ├── CollectionMismatchError   another embedding model, dimension or space
│   └── LeaseError            another process runs this sweep
├── UnavailableError          something outside is not there now: try again, or start it
│   ├── EncoderUnavailable
│   ├── IndexUnavailable
│   ├── StoreUnavailable
│   ├── EngineUnavailable     the machines that do the work do not answer
│   ├── GeneratorUnavailable  the endpoint is gone: the run pauses
│   └── LedgerUnavailable     the ledger does not answer: entries wait
├── LedgerRefused             the ledger does not take an entry: it waits, with the reason
│   ├── ChainRefused          a chain refuses a transaction, with a reason from a closed list
│   └── SignatureAwaited      nobody has signed for it yet
├── SigningRefused            what a wallet asks for or has signed is not taken, with a reason from a closed list
└── GenerationError           one question could not be answered, with a reason from a closed list
    └── ModelNotFoundError    says which pull adds the model
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


class PasserError(Exception):
    """Root of every error that PaSSER raises on purpose."""

    @property
    def message(self) -> str:
        """The sentence to show."""
        return str(self)

    def __reduce__(self) -> tuple[object, ...]:
        """Whole through a pickle: errors travel between the processes of an engine."""
        return _revived, (type(self), self.args, self.__dict__)


@dataclass(frozen=True)
class Problem:
    """One thing wrong with what was given: where it is, and what to do about it."""

    message: str
    """One sentence."""
    row: int | None = None
    """Row in the file, from 1 (the first data row; a header is not counted)."""
    field: str | None = None
    """Name of the column or setting."""


class InputError(PasserError):
    """What was given is wrong; nothing was taken."""

    def __init__(self, message: str, *, field: str | None = None, problems: tuple[Problem, ...] = ()) -> None:
        super().__init__(message)
        self.field = field
        self.problems = problems


class DatasetError(InputError):
    """A question file is refused whole; `problems` names every bad row that was found."""


class DocumentError(InputError):
    """A document cannot be read: damaged, encrypted, without text, of an unknown kind."""


class TooLargeError(InputError):
    """More bytes than the settings allow; refused before it was read."""


class ConfigError(InputError):
    """A setting, an experiment file or a policy is wrong."""


class NotFoundError(PasserError):
    """There is nothing of that name."""


class ConflictError(PasserError):
    """It exists already, or its state does not allow this."""


class CollectionMismatchError(ConflictError):
    """The collection is bound to another embedding model, dimension or space."""


class LeaseError(ConflictError):
    """Another process runs this sweep."""


class UnavailableError(PasserError):
    """Something outside PaSSER is not there now."""


class EncoderUnavailable(UnavailableError):
    """The encoder's weights are missing or cannot be loaded."""


class IndexUnavailable(UnavailableError):
    """The vector store does not answer."""


class StoreUnavailable(UnavailableError):
    """The database does not answer, is locked, or its disk is full."""


class EngineUnavailable(UnavailableError):
    """The cluster that does the work does not answer."""


class GeneratorUnavailable(UnavailableError):
    """The model server is gone (connection refused, or 503 beyond the retry budget)."""


class LedgerUnavailable(UnavailableError):
    """The ledger does not answer; what is to be recorded waits."""


class LedgerRefused(PasserError):
    """The ledger does not take an entry now: no memory left, no authority, or not what its contract allows."""


ChainReason = Literal[
    "duplicate",
    "expired",
    "reference",
    "ram",
    "cpu",
    "net",
    "busy",
    "authority",
    "contract",
    "account",
    "transaction",
]
"""`duplicate` is on the chain already; `expired` and `reference` want a new transaction; `transaction` is any other."""


class ChainRefused(LedgerRefused):
    """A chain refuses a transaction; `said` is what the node or the contract says."""

    def __init__(self, message: str, *, reason: ChainReason, said: str = "") -> None:
        super().__init__(message)
        self.reason = reason
        self.said = said


class SignatureAwaited(LedgerRefused):
    """No key is here, and no wallet has signed: what is to be recorded waits for a person."""


SigningReason = Literal[
    "no-chain",
    "signs-itself",
    "nothing-waits",
    "held",
    "signed-already",
    "expired",
    "given-up",
    "other-account",
    "foreign-key",
    "missing-signature",
    "malformed-signature",
    "unknown-transaction",
    "kept",
]
"""`held` by another account; `kept` is signed and posted later, exactly once."""


class SigningRefused(PasserError):
    """What a wallet asks for, or what it signed, is not taken now."""

    def __init__(self, message: str, *, reason: SigningReason) -> None:
        super().__init__(message)
        self.reason = reason


class GenerationError(PasserError):
    """One question could not be answered."""

    def __init__(
        self, message: str, *, reason: str, retryable: bool = False, retry_after_s: float | None = None
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.retryable = retryable
        self.retry_after_s = retry_after_s


class ModelNotFoundError(GenerationError):
    """The endpoint does not have the model; the message says how to add it."""

    def __init__(self, message: str) -> None:
        super().__init__(message, reason="model_not_found")


def _revived(kind: type[PasserError], args: tuple[object, ...], state: dict[str, object]) -> PasserError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error
