"""Checks of components: each returns details, or the command that installs a missing one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from passer.domain.base import shown_address
from passer.domain.models.ollama_version import version_defect
from passer.domain.wording.sentence import Sentence, sentence
from passer.errors import NotConfigured, UnavailableError, install_command
from passer.ports import ChatModel, Check, Collections, Encoder, IdentityProvider, WordNet

WAIT_S = 3.0


def encoder_check(encoder: Callable[[], Encoder]) -> Check:
    """Check that the weights of the scoring encoder are available and correct."""

    def report() -> str:
        model = encoder().model
        return sentence("parts.encoder", name=model.name, dimension=model.dimension, weights=model.digest[:12])

    return Check("encoder", report, install_command("encoder"), required=True)


def wordnet_check(wordnet: Callable[[], WordNet | None]) -> Check:
    """Check that WordNet is available; without it METEOR has no value."""

    def report() -> str:
        found = wordnet()
        if found is None:
            raise UnavailableError(sentence("parts.no-wordnet"))
        return found.identity

    return Check("wordnet", report, "apt-get install wordnet-base")


def database_check(database: Callable[[], object], *, url: str, file: Path | None) -> Check:
    """Check that the database opens, has the current schema, and its file was not replaced."""
    place = _Place(file)

    def report() -> str:
        place.check()
        database()
        place.remember()
        return _without_password(url)

    return Check("database", report, "check PASSER_HOME and PASSER_DATABASE_URL", required=True)


def chroma_check(collections: Callable[[], Collections], *, address: str, folder: Path | None) -> Check:
    """Check that the vector store answers, and its folder was not replaced."""
    place = _Place(folder)

    def report() -> str:
        place.check()
        found = collections().list()
        place.remember()
        return sentence("parts.chroma", place=shown_address(address), n=len(found))

    return Check("chroma", report, "chroma run --path DIR, with PASSER_CHROMA_URL set to its address", required=True)


def local_models_check(models: Callable[[], ChatModel]) -> Check:
    """Check that the engine of local models is installed and has a model."""
    from passer.adapters.generators.local.models import WEIGHTS_COMMAND

    def report() -> str:
        found = models().models()
        if not found:
            raise UnavailableError(sentence("local.none"))
        return f"{found[0].engine}, {', '.join(info.name for info in found)}"

    return Check("local models", report, f"{install_command('model')} && {WEIGHTS_COMMAND}")


def ollama_check(url: str) -> Check:
    """Check that Ollama answers."""

    def report() -> str:
        away = sentence("parts.away", what="Ollama", place=_shown(url))
        version = str(_get(f"{url}/api/version", away).get("version", "?"))
        models = _get(f"{url}/api/tags", away).get("models", [])
        found = sentence("parts.ollama", place=shown_address(url), version=version, n=len(models))
        problem = version_defect(version)
        return f"{found}. {problem}" if problem else found

    return Check("ollama", report, "ollama serve (then: ollama pull mistral:7b)")


def chain_check(url: str | None) -> Check:
    """Check that an Antelope node answers."""

    def report() -> str:
        if url is None:
            raise NotConfigured(sentence("parts.no-chain"))
        info = _get(f"{url.rstrip('/')}/v1/chain/get_info", sentence("parts.chain-away", place=_shown(url)))
        chain, head = str(info.get("chain_id", "?"))[:12], str(info.get("head_block_num", "?"))
        return sentence("parts.chain", place=shown_address(url), chain=chain, head=head)

    return Check("chain", report, "export PASSER_CHAIN_URLS=http://127.0.0.1:8888")


def provider_check(provider: Callable[[], IdentityProvider | None]) -> Check:
    """Check that the identity provider answers, and names what signing in needs."""

    def report() -> str:
        found = provider()
        if found is None:
            raise NotConfigured(sentence("parts.no-provider"))
        authorization = shown_address(found.authorization())
        return sentence("parts.provider", place=shown_address(found.issuer), authorization=authorization)

    return Check(
        "identity provider", report, "export PASSER_OIDC_ISSUER=https://sso.example.org PASSER_OIDC_CLIENT_ID=passer"
    )


def client_check(folder: Path) -> Check:
    """Check that the browser application is built."""

    def report() -> str:
        if not (folder / "index.html").is_file():
            raise UnavailableError(sentence("parts.no-client"))
        return sentence("parts.built")

    return Check("browser application", report, "make client")


class _Place:
    """A file or folder that must not be replaced while it is open: writes to a deleted one would be lost."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._opened: tuple[int, int] | None = None

    def check(self) -> None:
        """Raise UnavailableError if it was deleted or replaced since it was remembered."""
        if self._opened is not None and self._found() != self._opened:
            raise UnavailableError(sentence("parts.place-gone", path=str(self._path)))

    def remember(self) -> None:
        """Remember which file or folder it is."""
        self._opened = self._opened or self._found()

    def _found(self) -> tuple[int, int] | None:
        if self._path is None:
            return None
        with suppress(OSError):
            status = self._path.stat()
            return status.st_dev, status.st_ino
        return None


def _shown(url: str) -> str:
    """Return the address of a server without the paths that are asked for."""
    return shown_address(url.partition("/api")[0].partition("/v1")[0])


def _get(url: str, away: Sentence) -> dict[str, Any]:
    import httpx

    try:
        response = httpx.get(url, timeout=WAIT_S)
        response.raise_for_status()
        found = response.json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as exc:
        raise UnavailableError(away) from exc
    return found if isinstance(found, dict) else {}


def _without_password(url: str) -> str:
    from sqlalchemy.engine import make_url

    return make_url(url).render_as_string(hide_password=True)
