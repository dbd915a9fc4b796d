"""Settings from environment variables. Without any of them, PaSSER works offline with embedded components."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from platformdirs import user_data_path
from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from passer.domain.accounts.identity import Newcomers, RoleRule
from passer.domain.accounts.project import DEFAULT_PROJECT, PROJECT_NAME
from passer.domain.accounts.project_settings import ProjectValues
from passer.domain.base import shown_address
from passer.domain.models.addresses import whole_address
from passer.domain.models.model import addresses
from passer.errors import ConfigError

EngineName = Literal["local", "ray"]

NO_ENCODER = "none"
"""Value that disables the encoder: only text metrics are computed."""

DRIVER_ONLY = frozenset(
    {
        *("database_url", "chain_key", "chain_key_file", "secret_key", "secret_key_file"),
        *("oidc_client_secret", "oidc_client_secret_file"),
    }
)
"""Settings that other processes of an engine do not receive."""


class Settings(BaseSettings, ProjectValues):
    """PASSER_* environment variables. Every default works without a server, key or network.

    Where a value of `ProjectValues` is used, `Adapters.project_settings` is asked: the project may have its own.
    """

    # By name too: a program that passes `ollama_url` means PASSER_OLLAMA_URL.
    model_config = SettingsConfigDict(
        env_prefix="PASSER_", extra="ignore", use_attribute_docstrings=True, populate_by_name=True
    )

    home: Path = Field(default_factory=lambda: user_data_path("passer"))
    """Home folder with database, collections and exports."""
    project: str = Field(default=DEFAULT_PROJECT, pattern=PROJECT_NAME)
    """Project that a command works in; `passer --project NAME` sets it. A server serves all projects."""
    database_url: str | None = None
    """SQLAlchemy URL; default: SQLite in the home folder. PostgreSQL: `postgresql+psycopg://...`."""
    chroma_url: str | None = None
    """Address of a `chroma run` server; default: Chroma embedded in the home folder."""
    ollama_url: str = Field(
        default="http://127.0.0.1:11434",
        validation_alias=AliasChoices("PASSER_OLLAMA_URL", "OLLAMA_HOST", "OLLAMA_BASE_URL"),
    )
    """Address of Ollama, or several separated by commas; OLLAMA_HOST and OLLAMA_BASE_URL are honoured."""
    ollama_api_key: SecretStr | None = Field(
        default=None, validation_alias=AliasChoices("PASSER_OLLAMA_API_KEY", "OLLAMA_API_KEY")
    )
    """Key for the addresses of PASSER_OLLAMA_URL alone; never shown, logged or stored."""
    openai_url: str | None = None
    """Base address of an OpenAI-compatible server, e.g. http://127.0.0.1:8080/v1."""
    openai_api_key: SecretStr | None = None
    """Its API key; never shown, logged or stored."""
    model_hosts: Annotated[tuple[str, ...], NoDecode] = ()
    """Hosts, host:port pairs and networks (10.0.0.0/8) that may be connected as model servers, separated by commas.

    Empty: every host while only this machine can use this PaSSER, none otherwise.
    """
    secret_key: SecretStr | None = None
    """Secret that encrypts the stored keys of model servers, 16 characters or more; never shown, logged or stored."""
    secret_key_file: Path | None = None
    """File of mode 600 with that secret; default: `secret.key` in the home folder, made when it is first needed."""
    models: Path | None = None
    """Folder of GGUF files, which run as `local/NAME` like the built-in model, and of folders of cross-encoders."""
    encoder: str | None = None
    """Path or cached hub id of the scoring encoder; default: embedded all-MiniLM-L6-v2; `none`: text metrics only."""
    encoder_threads: int = Field(default=0, ge=0, le=256)
    """Encoder passes in flight in each scoring process; 0 divides the processors evenly."""
    scoring_processes: int = Field(default=0, ge=0, le=64)
    """Processes that score a sweep's answers, each with its own encoder; 0 scores in this process."""
    encoder_precision: Literal["float32", "bfloat16"] = "float32"
    """Arithmetic of the scoring encoder; bfloat16 is faster and changes a cosine by up to .005."""
    wordnet: Path | None = None
    """Folder of WordNet 3.0; default: the folders that Debian and NLTK use."""
    prompts: Path | None = None
    """Folder of additional prompt templates (*.j2)."""
    chain_urls: Annotated[tuple[str, ...], NoDecode] = ()
    """Addresses of nodes of one Antelope chain, separated by commas, tried in order."""
    chain_contract: str | None = None
    """Account of the contract."""
    chain_contract_kind: Literal["llmtest", "published"] = "llmtest"
    """This repository's contract, or the published one with four fields, which proves next to nothing."""
    chain_account: str | None = None
    """Account that signs and pays for the rows."""
    chain_permission: str = "active"
    """Signing permission of that account; one limited to the contract's two actions is enough."""
    chain_key: SecretStr | None = None
    """Private key of that permission; never shown, logged or stored."""
    chain_key_file: Path | None = None
    """File of mode 600 with the private key."""
    wallet_relay: str | None = Field(default=None, pattern=r"^https?://")
    """Address of the relay between the Anchor wallet and a browser; default: the wallet library's."""
    ledger: Literal["local", "antelope"] = "local"
    """Ledger of finished runs: a hash chain in the database, or the contract on an Antelope chain."""
    ledger_origin: str | None = Field(default=None, pattern=r"^[^\s+]{1,200}$")
    """Name of the local ledger in checkpoints, e.g. lab.example.org/passer; default: `passer/`, a part of its key."""
    max_upload_mb: int = Field(default=50, ge=1, le=10_000)
    """Largest upload in megabytes; larger ones are refused before reading."""
    reader_memory_mb: int = Field(default=1000, ge=100, le=1_000_000)
    """Memory that reading one file may use, in megabytes; the reading process is killed beyond this."""
    reader_seconds: int = Field(default=15, ge=1, le=86_400)
    """Processor seconds that reading one file may take."""
    allow_private_addresses: bool = False
    """True if web addresses of private and local networks may be ingested."""
    engine: EngineName = "local"
    """Executor of evaluations: threads of this process, or a Ray cluster."""
    ray_address: str | None = None
    """host:port of a Ray cluster; default: a Ray on this machine."""
    concurrency: int = Field(default=4, ge=1, le=1000)
    """Requests in flight per model server; lowered automatically while it is overloaded."""
    sweeps_at_once: int = Field(default=2, ge=0, le=16)
    """Sweeps that a server runs side by side; they share a model server in turns. Each takes memory of its own.

    With 0 it runs none: another server on the same home or database does, and requests here wait for no sweep.
    """
    allowed_hosts: Annotated[tuple[str, ...], NoDecode] = ()
    """Additional host names that the server answers to, separated by commas."""

    admin_password_file: Path | None = None
    """File with the password of the account `admin`, which is added at the start where there is no account."""
    oidc_issuer: str | None = Field(default=None, pattern=r"^(https://|http://(127\.0\.0\.1|localhost)[:/]?)[^\s@?#]*$")
    """Address of an identity provider (OpenID Connect) that people may sign in at; default: none."""
    oidc_client_id: str = ""
    """Name under which the provider knows this PaSSER."""
    oidc_client_secret: SecretStr | None = None
    """Secret that the provider gave with it, if any; never shown, logged or stored."""
    oidc_client_secret_file: Path | None = None
    """File with that secret."""
    oidc_scopes: str = Field(default="openid profile email", pattern=r"^openid( \S+)*$")
    """Scopes that are requested from the provider, separated by spaces."""
    oidc_label: str | None = Field(default=None, max_length=60)
    """Name of the provider on the sign-in button; default: the provider's host."""
    oidc_newcomers: Newcomers = "refuse"
    """Treatment of people who have no account and get no role from a claim: `refuse`, or add as `viewer`."""
    oidc_role_claim: str = Field(default="groups", max_length=200)
    """Claim of the ID token with groups or roles; a dot leads into it, as in `realm_access.roles`."""
    oidc_roles: Annotated[tuple[RoleRule, ...], NoDecode] = ()
    """Roles by values of that claim: `staff=viewer, lab=litpath:researcher`; default: roles are given in PaSSER."""
    otlp_endpoint: str | None = Field(default=None, pattern=r"^https?://[^\s@?#]+$")
    """Address of an OpenTelemetry receiver (OTLP over HTTP) that gets a trace of each question; default: none."""
    otlp_texts: bool = False
    """True if traces contain questions, passages, prompts, answers and reasons of failures; else numbers and ids."""
    insecure_listen: bool = False
    """True if the server also answers to its IP addresses; `passer serve --insecure-listen` sets it."""

    @field_validator("ollama_url")
    @classmethod
    def _whole_addresses(cls, value: str) -> str:
        """OLLAMA_HOST is often written without a scheme, and 0.0.0.0 is a listening address, not a destination."""
        return ",".join(whole_address(each, port=11434) for each in addresses(value)) or "http://127.0.0.1:11434"

    @field_validator("allowed_hosts", "chain_urls", "model_hosts", mode="before")
    @classmethod
    def _split_hosts(cls, value: object) -> object:
        return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value

    @field_validator("oidc_roles", mode="before")
    @classmethod
    def _read_roles(cls, value: object) -> object:
        return (
            tuple(RoleRule.read(part) for part in value.split(",") if part.strip()) if isinstance(value, str) else value
        )

    @classmethod
    def of_environment(cls, **given: Any) -> Settings:
        """Read the environment, with these values before it; ConfigError names the wrong variable or value."""
        for name in given:
            if name not in cls.model_fields:
                said = "Use the name of a variable PASSER_..., in lower case and without PASSER_."
                raise ConfigError(f"There is no setting {name}. {said}", field=name)
        try:
            return cls(**given)
        except ValidationError as exc:
            # Not above: `passer --help` reads the settings, and the catalogue takes time to load.
            from passer.domain.wording.validation_message import validation_message

            error = exc.errors()[0]
            name = str(error["loc"][0]) if error["loc"] else "settings"
            name = name if name.isupper() else f"PASSER_{name.upper()}"
            said = f"{name} is not valid ({validation_message(error)}). Correct it, or remove it."
            raise ConfigError(said, field=name) from exc

    @property
    def projects_folder(self) -> Path:
        """Folder with a folder for each project except the default one."""
        return self.home / "projects"

    @property
    def project_home(self) -> Path:
        """Folder with the data of the project: of the default one, the home folder itself."""
        return self.home if self.project == DEFAULT_PROJECT else self.projects_folder / self.project

    def of_project(self, name: str) -> Settings:
        """Return the settings of another project of the same installation."""
        return self.model_copy(update={"project": name})

    @property
    def resolved_database_url(self) -> str:
        """URL of the database in use. A file that the settings name holds the default project alone."""
        is_server = self.database_url is not None and not self.database_url.startswith("sqlite")
        if self.database_url is not None and (is_server or self.project == DEFAULT_PROJECT):
            return self.database_url
        return f"sqlite:///{self.project_home / 'passer.sqlite3'}"

    @property
    def server_place(self) -> str | None:
        """Name of the schema in PostgreSQL, and of the database in Chroma, with the project's data; None: the usual."""
        return None if self.project == DEFAULT_PROJECT else f"passer-{self.project}"

    @property
    def database_file(self) -> Path | None:
        """File of the SQLite database; None for a server."""
        kind, _, path = self.resolved_database_url.partition(":///")
        return Path(path) if kind == "sqlite" and path else None

    def for_workers(self) -> Settings:
        """Return the settings with which another process asks models and scores, without database and signing keys."""
        kept_back = dict.fromkeys(DRIVER_ONLY & type(self).model_fields.keys())
        return self.model_copy(update={**kept_back, "scoring_processes": 0})

    @property
    def own_encoder(self) -> str | None:
        """The encoder to load instead of the embedded one, or None."""
        return None if self.encoder == NO_ENCODER else self.encoder

    @property
    def parts(self) -> dict[str, str]:
        """Return the adapters in use by role, without passwords, to describe a measurement."""
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
    def is_alone(self) -> bool:
        """Return whether only this machine can use this PaSSER."""
        return not (self.allowed_hosts or self.insecure_listen)

    @property
    def key_file(self) -> Path:
        """File with the secret that encrypts stored keys."""
        return self.secret_key_file or self.home / "secret.key"

    @property
    def chroma_path(self) -> Path:
        """Folder of the embedded Chroma."""
        return self.project_home / "chroma"

    @property
    def max_upload_bytes(self) -> int:
        """Largest upload, in bytes."""
        return self.max_upload_mb * 1024 * 1024
