"""Everything that is read from the environment. Without any of it, PaSSER works offline on embedded parts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from platformdirs import user_data_path
from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from passer.domain.base import shown_address
from passer.domain.run import addresses
from passer.errors import ConfigError

EngineName = Literal["local", "ray"]

NO_ENCODER = "none"
"""Scores by the text-only metrics; the encoder's columns then say `encoder_unavailable`."""

DRIVER_ONLY = frozenset({"database_url", "chain_key", "chain_key_file"})
"""Settings that stay with the process that holds the sweep's lease."""


class Settings(BaseSettings):
    """PASSER_* variables; each has a default that needs no server, key or network."""

    model_config = SettingsConfigDict(env_prefix="PASSER_", extra="ignore", use_attribute_docstrings=True)

    home: Path = Field(default_factory=lambda: user_data_path("passer"))
    """Folder of everything that is kept: database, collections, exports."""
    database_url: str | None = None
    """SQLAlchemy URL; default: SQLite in the home folder. PostgreSQL: `postgresql+psycopg://...`."""
    chroma_url: str | None = None
    """Address of a `chroma run` server; default: Chroma embedded in the home folder."""
    ollama_url: str = Field(
        default="http://127.0.0.1:11434",
        validation_alias=AliasChoices("PASSER_OLLAMA_URL", "OLLAMA_HOST", "OLLAMA_BASE_URL"),
    )
    """Address of Ollama, or several, separated by commas; OLLAMA_HOST and OLLAMA_BASE_URL are honoured."""
    openai_url: str | None = None
    """Base address of an OpenAI-compatible server, e.g. http://127.0.0.1:8080/v1."""
    openai_api_key: SecretStr | None = None
    """Its key, where it wants one; never shown, logged or kept."""
    encoder: str | None = None
    """Path or cached hub id of the scoring encoder; default: the embedded all-MiniLM-L6-v2. `none`: text alone."""
    embedding: str = "embedded"
    """Embedding model of new collections: `embedded`, `ollama/<tag>`, or a path."""
    encoder_threads: int = Field(default=0, ge=0, le=256)
    """Encoder passes under way together in each process that scores; 0 shares the processors out."""
    scoring_processes: int = Field(default=0, ge=0, le=64)
    """Processes that score a sweep's answers, each with an encoder and its share of the cores; 0 scores in this one."""
    encoder_precision: Literal["float32", "bfloat16"] = "float32"
    """Arithmetic of the scoring encoder; bfloat16 is faster and moves a cosine by up to .005."""
    wordnet: Path | None = None
    """Folder of WordNet 3.0; default: where Debian and NLTK put it."""
    prompts: Path | None = None
    """Folder of further prompt templates (*.j2)."""
    chain_urls: Annotated[tuple[str, ...], NoDecode] = ()
    """Addresses of nodes of one Antelope chain, separated by commas; the next is asked where one does not answer."""
    chain_contract: str | None = None
    """Account that holds the contract."""
    chain_contract_kind: Literal["llmtest", "published"] = "llmtest"
    """The contract of this repository, or the published one with four fields, which proves next to nothing."""
    chain_account: str | None = None
    """Account that signs and pays for the rows."""
    chain_permission: str = "active"
    """Which of its permissions signs; one that may do nothing but the contract's two actions is enough."""
    chain_key: SecretStr | None = None
    """Its private key; never shown, logged or kept."""
    chain_key_file: Path | None = None
    """File of mode 600 that holds it instead."""
    wallet_relay: str | None = Field(default=None, pattern=r"^https?://")
    """Address of the relay through which the Anchor wallet answers a browser; default: the wallet library's own."""
    ledger: Literal["local", "antelope"] = "local"
    """Where finished runs are recorded: a hash chain in the database, or the contract on an Antelope chain."""
    ledger_granularity: Literal["question", "run"] = "question"
    """One row for each question and one for the run, or that last one alone, where a chain's memory is dear."""
    max_upload_mb: int = Field(default=50, ge=1, le=10_000)
    """Largest upload, in megabytes; beyond it an upload is refused before it is read."""
    allow_private_addresses: bool = False
    """Whether web addresses of private and local networks may be ingested."""
    engine: EngineName = "local"
    """Where evaluations execute: threads of this process, or a Ray cluster."""
    ray_address: str | None = None
    """host:port of a Ray cluster; default: a Ray of this machine alone."""
    concurrency: int = Field(default=4, ge=1, le=1000)
    """Requests under way per model server; adapts down when it is overloaded."""
    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = ()
    """Host names, beside the loopback ones, under which the server answers; separated by commas."""

    insecure_listen: bool = False
    """Whether the server answers under its IP addresses too; `passer serve --insecure-listen` sets it."""

    @field_validator("ollama_url")
    @classmethod
    def _whole_addresses(cls, value: str) -> str:
        """OLLAMA_HOST is often written without a scheme, and 0.0.0.0 is where a server listens, not where it is."""
        return ",".join(_whole_address(each) for each in addresses(value)) or "http://127.0.0.1:11434"

    @field_validator("allowed_hosts", "chain_urls", mode="before")
    @classmethod
    def _split_hosts(cls, value: object) -> object:
        return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value

    @classmethod
    def of_environment(cls) -> Settings:
        """The environment's settings; ConfigError names the variable that is wrong."""
        try:
            return cls()
        except ValidationError as exc:
            error = exc.errors()[0]
            name = str(error["loc"][0]) if error["loc"] else "settings"
            name = name if name.isupper() else f"PASSER_{name.upper()}"
            raise ConfigError(f"{name} is wrong ({error['msg']}): correct it, or leave it out.", field=name) from exc

    @property
    def resolved_database_url(self) -> str:
        """The database in use."""
        return self.database_url or f"sqlite:///{self.home / 'passer.sqlite3'}"

    def for_workers(self) -> Settings:
        """What another process needs to ask and to score, itself: not the database, nor what signs."""
        kept_back = dict.fromkeys(DRIVER_ONLY & type(self).model_fields.keys())
        return self.model_copy(update={**kept_back, "scoring_processes": 0})

    @property
    def own_encoder(self) -> str | None:
        """The encoder to load instead of the embedded one."""
        return None if self.encoder == NO_ENCODER else self.encoder

    @property
    def parts(self) -> dict[str, str]:
        """Which adapters are in use, by what they do, without passwords: for descriptions of a measurement."""
        named = {
            "database": self.database_url and self.database_url.partition(":")[0],
            "chroma": self.chroma_url,
            "ollama": self.ollama_url,
            "openai": self.openai_url,
        }
        return {
            "database": "sqlite",
            "chroma": "embedded",
            "engine": self.engine,
            "concurrency": str(self.concurrency),
            "scoring_processes": str(self.scoring_processes),
            **{name: shown_address(value) for name, value in named.items() if value},
        }

    @property
    def chroma_path(self) -> Path:
        """Folder of the embedded Chroma."""
        return self.home / "chroma"

    @property
    def max_upload_bytes(self) -> int:
        """Largest upload, in bytes."""
        return self.max_upload_mb * 1024 * 1024


def _whole_address(value: str) -> str:
    if "://" not in value:
        host = value.rstrip("/")
        has_port = host.rpartition(":")[2].isdigit() and not host.endswith("]") and host.count(":") != 7
        value = f"http://{host}" if has_port else f"http://{host}:11434"
    return value.replace("//0.0.0.0", "//127.0.0.1").rstrip("/")
