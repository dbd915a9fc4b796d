"""Builds the scoring encoder, and embedding models: the built-in one, of an Ollama server, of sentence-transformers."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from passer.domain.model import addresses
from passer.domain.retrieval import EMBEDDED
from passer.ports import Embedder

if TYPE_CHECKING:
    from passer.adapters.encoder import TransformerEncoder
    from passer.bootstrap.adapters import Adapters
    from passer.settings import Settings


def scoring_encoder(settings: Settings) -> TransformerEncoder:
    """Return a new scoring encoder: the one of the settings, or the embedded one."""
    from passer.adapters.encoder import TransformerEncoder, embedded_encoder

    threads, precision = settings.encoder_threads or None, settings.encoder_precision
    if settings.own_encoder:
        return TransformerEncoder(settings.own_encoder, threads=threads, precision=precision)
    return embedded_encoder(threads=threads, precision=precision)


def embedder_of(adapters: Adapters, name: str) -> Embedder:
    """Return a new embedding model, or the scoring encoder where it is the same; it is closed with the adapters."""
    settings, resources = adapters.settings, adapters.resources
    if name in ("embedded", EMBEDDED):
        from passer.adapters.encoder import embedded_encoder

        # A collection's embedding model always runs in float32: its vectors are bound to it.
        shared = settings.own_encoder is None and settings.encoder_precision == "float32"
        return adapters.encoder if shared else resources.enter_context(closing(embedded_encoder()))
    if name.startswith("ollama/"):
        from passer.adapters.embedder_ollama import OllamaEmbedder

        url = addresses(settings.ollama_url)[0]
        key = adapters.models.setting_key("ollama", url)
        return resources.enter_context(closing(OllamaEmbedder(url, name.removeprefix("ollama/"), api_key=key)))
    from passer.adapters.encoder import TransformerEncoder

    return resources.enter_context(closing(TransformerEncoder(name)))
