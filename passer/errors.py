"""Everything that can go wrong, as one tree. Each message states the cause and what to do.

PasserError
├── InputError                the input is wrong; names the field or row
│   ├── DatasetError          a question file is refused whole, with every bad row
│   ├── DocumentError         a document cannot be read
│   ├── TooLargeError         an upload beyond the limit
│   └── ConfigError           a setting, an experiment file or a policy is wrong
├── NotFoundError             no such collection, dataset, run, ...
├── ConflictError             it already exists, or its state does not allow the action
│   ├── CollectionMismatchError   another embedding model, dimension or space
│   └── LeaseError            another process does this work
├── UnavailableError          an external service is not available: start it, then retry
│   ├── EncoderUnavailable
│   ├── IndexUnavailable
│   ├── StoreUnavailable
│   ├── QueueFull             too much work is waiting
│   ├── EngineUnavailable     the machines of the cluster do not respond
│   ├── NotConfigured         nothing of the kind is set up: nobody expects it to answer
│   ├── GeneratorUnavailable  the model server is not available: the run pauses
│   └── LedgerUnavailable     the ledger does not respond: entries wait
├── AccessRefused             this caller may not do this
│   ├── SignInNeeded          nobody is signed in
│   ├── RoleTooLow            the account or token may not do this
│   └── TooManyAttempts       too many attempts to sign in
├── WorkStopped               the work was cancelled, or its process is stopping
│   └── WorkCancelled         a person cancelled it
├── WorkPaused                the work waits for a person, with what it has
├── LedgerRefused             the ledger refuses an entry: it waits, with the reason
│   ├── ChainRefused          a chain refuses a transaction, with a reason from a closed list
│   └── SignatureAwaited      nobody has signed for it yet
├── SigningRefused            a wallet's request or signature is refused, with a reason from a closed list
└── GenerationError           one question could not be answered, with a reason from a closed list
    └── ModelNotFoundError    names the command that pulls the model
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

DISTRIBUTION = "passer-rag"
"""Name of the package on an index; the import name is `passer`."""
Extra = Literal[
    "chain",
    "encoder",
    "langchain",
    "mcp",
    "model",
    "postgres",
    "provenance",
    "ray",
    "report",
    "retrieval",
    "team",
    "telemetry",
]
"""Optional parts of the installation, as pyproject.toml names them."""
MOST_PROBLEMS = 50
"""Problems of a file that are listed."""


class PasserError(Exception):
    """Root of every error that PaSSER raises on purpose."""

    @property
    def message(self) -> str:
        """Return the message to show, with its code and values where it has them."""
        first = self.args[0] if self.args else None
        return first if isinstance(first, str) else str(self)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle all fields: errors travel between the processes of an engine."""
        return _revived, (type(self), self.args, self.__dict__)


@dataclass(frozen=True)
class Problem:
    """One problem of an input: where it is, and what to do about it."""

    # Pydantic describes its fields in the description of the API.
    __pydantic_config__ = {"extra": "forbid", "use_attribute_docstrings": True}  # noqa: RUF012

    message: str
    """One sentence."""
    row: int | None = None
    """Row in the file, from 1 (the first data row; a header is not counted)."""
    field: str | None = None
    """Name of the column or setting."""


class InputError(PasserError):
    """The input is wrong; nothing was imported or changed."""

    def __init__(self, message: str, *, field: str | None = None, problems: tuple[Problem, ...] = ()) -> None:
        super().__init__(message)
        self.field = field
        self.problems = problems


class DatasetError(InputError):
    """A question file is refused whole; `problems` lists every bad row."""


class DocumentError(InputError):
    """A document cannot be read: damaged, encrypted, without text, of an unknown kind."""


class TooLargeError(InputError):
    """The input exceeds the size limit of the settings; refused before reading it."""


class ConfigError(InputError):
    """A setting, an experiment file or a policy is wrong."""


class NotFoundError(PasserError):
    """No object has this name or id."""


class ConflictError(PasserError):
    """Conflict: it already exists, or its state does not allow the action."""


class CollectionMismatchError(ConflictError):
    """The collection is bound to another embedding model, dimension or space."""


class LeaseError(ConflictError):
    """Another process holds the lease."""


class UnavailableError(PasserError):
    """Something outside PaSSER is not available now."""


class QueueFull(UnavailableError):
    """Too much work of this kind is waiting."""


class EncoderUnavailable(UnavailableError):
    """The encoder's weights are missing or cannot be loaded."""


class IndexUnavailable(UnavailableError):
    """The vector store does not respond."""


class StoreUnavailable(UnavailableError):
    """The database does not respond or is locked, or its disk is full."""


class EngineUnavailable(UnavailableError):
    """The cluster that executes the work does not respond."""


class NotConfigured(UnavailableError):
    """No component of this kind is configured."""


class GeneratorUnavailable(UnavailableError):
    """The model server is not available (connection refused, or 503 beyond the retry budget)."""


class LedgerUnavailable(UnavailableError):
    """The ledger does not respond; entries wait."""


class AccessRefused(PasserError):
    """Refusal of an action that the caller may not do."""


class SignInNeeded(AccessRefused):
    """Nobody is signed in, or the password, session or token is not valid."""


class RoleTooLow(AccessRefused):
    """The account or token may not do this."""


class TooManyAttempts(AccessRefused):
    """Too many attempts to sign in; try again later."""


class WorkStopped(PasserError):
    """The running work was cancelled, or its process is stopping; it must not write any more."""


class WorkCancelled(WorkStopped):
    """A person cancelled the running work."""


class WorkPaused(PasserError):
    """The running work waits until a person resumes it; its results are kept."""


class LedgerRefused(PasserError):
    """The ledger refuses an entry for now: out of memory, missing authority, or not allowed by its contract."""


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
"""`duplicate` is already on the chain; `expired` and `reference` need a new transaction; `transaction` is any other."""


class ChainRefused(LedgerRefused):
    """A chain refuses a transaction; `said` is the message of the node or contract."""

    def __init__(self, message: str, *, reason: ChainReason, said: str = "") -> None:
        super().__init__(message)
        self.reason = reason
        self.said = said


class SignatureAwaited(LedgerRefused):
    """Missing signature: the server has no key and no wallet has signed, so the entries wait for a person."""


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
    """A wallet's request or signature is refused now."""

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
    """The endpoint does not have the model; the message gives the command that adds it."""

    def __init__(self, message: str) -> None:
        super().__init__(message, reason="model_not_found")


def install_command(extra: Extra) -> str:
    """Return the command that installs an extra."""
    return f'pip install "{DISTRIBUTION}[{extra}]"'


def _revived(kind: type[PasserError], args: tuple[object, ...], state: dict[str, object]) -> PasserError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error
