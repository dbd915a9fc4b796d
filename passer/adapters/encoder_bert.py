"""BERT's forward pass for one text at a time: no padding, no batch mates, no transformers import.

The weights are those of the checkpoint; query, key and value are one matrix product. The same text gives the same
bytes whatever ran before, because the shapes of every product depend on that text alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from passer.adapters.encoder_files import EncoderFiles

if TYPE_CHECKING:
    from torch import Tensor, dtype


@dataclass(frozen=True)
class _Affine:
    weight: Tensor
    bias: Tensor


@dataclass(frozen=True)
class _Layer:
    query_key_value: _Affine
    attention_out: _Affine
    attention_norm: _Affine
    widen: _Affine
    narrow: _Affine
    output_norm: _Affine


def is_plain_bert(files: EncoderFiles) -> bool:
    """Whether this file's forward pass is the model's own."""
    config = files.config
    return (
        config.get("model_type") == "bert"
        and config.get("hidden_act", "gelu") == "gelu"
        and config.get("position_embedding_type", "absolute") == "absolute"
        and not config.get("is_decoder", False)
        and [path.name for path in files.weights] == ["model.safetensors"]
        and (files.folder / "tokenizer.json").is_file()
    )


class BertForward:
    """The hidden states of one text; safe to call from many threads."""

    def __init__(self, files: EncoderFiles, *, max_tokens: int, precision: dtype) -> None:
        from safetensors.torch import load_file

        self._config: Mapping[str, Any] = files.config
        self._heads = int(files.config["num_attention_heads"])
        self._epsilon = float(files.config.get("layer_norm_eps", 1e-12))
        self.dimension = int(files.config["hidden_size"])
        weights = {
            key.removeprefix("bert.").replace(".gamma", ".weight").replace(".beta", ".bias"): value.to(precision)
            for key, value in load_file(files.weights[0]).items()
            if value.is_floating_point()
        }
        self._words = weights["embeddings.word_embeddings.weight"]
        kinds = weights["embeddings.token_type_embeddings.weight"]
        self._places = weights["embeddings.position_embeddings.weight"] + kinds[0]
        self._embedding_norm = _affine(weights, "embeddings.LayerNorm")
        self._layers = [_layer(weights, number) for number in range(int(files.config["num_hidden_layers"]))]
        self._tokenizer = _tokenizer(files)
        self._cutting = _tokenizer(files)
        self._cutting.enable_truncation(min(max_tokens, len(self._places)))

    def tokens(self, text: str) -> tuple[list[int], bool]:
        """Word-piece ids with [CLS] and [SEP], and whether the text was cut."""
        encoding = self._cutting.encode(text)
        return encoding.ids, bool(encoding.overflowing)

    def count_tokens(self, text: str) -> int:
        """Word pieces of the whole text, special tokens not counted."""
        return len(self._tokenizer.encode(text, add_special_tokens=False))

    def states(self, ids: Sequence[int], *, layer: int, first_only: bool) -> tuple[Tensor, Tensor]:
        """Last layer's states and those after `layer`, each (n_tokens, dimension), or (1, dimension) each."""
        import torch

        with torch.inference_mode():
            x = self._words[torch.tensor(ids)] + self._places[: len(ids)]
            x = self._norm(x, self._embedding_norm)
            chosen = x
            for number, weights in enumerate(self._layers, start=1):
                x = self._block(x, weights, first_only=first_only and number == len(self._layers))
                if number == layer:
                    chosen = x
            return x, chosen[: len(x)]

    def _block(self, x: Tensor, weights: _Layer, *, first_only: bool) -> Tensor:
        """One layer; with `first_only`, of one row: keys and values are of all tokens, the rest of [CLS] alone."""
        from torch.nn.functional import gelu, linear, scaled_dot_product_attention

        both, width = weights.query_key_value, self.dimension
        if first_only:
            query = linear(x[:1], both.weight[:width], both.bias[:width])
            rest = linear(x, both.weight[width:], both.bias[width:])
            x = x[:1]
        else:
            rows = linear(x, both.weight, both.bias)
            query, rest = rows[:, :width], rows[:, width:]
        key, value = rest[:, :width], rest[:, width:]
        mixed = scaled_dot_product_attention(self._split(query), self._split(key), self._split(value))
        rows = mixed.transpose(1, 2).reshape(len(x), width)
        x = self._norm(
            linear(rows, weights.attention_out.weight, weights.attention_out.bias) + x, weights.attention_norm
        )
        wide = gelu(linear(x, weights.widen.weight, weights.widen.bias))
        return self._norm(linear(wide, weights.narrow.weight, weights.narrow.bias) + x, weights.output_norm)

    def _split(self, rows: Tensor) -> Tensor:
        """(n, dimension) -> (1, heads, n, dimension / heads), without a copy."""
        heads = rows.reshape(1, len(rows), self._heads, self.dimension // self._heads)
        return heads.transpose(1, 2)

    def _norm(self, x: Tensor, affine: _Affine) -> Tensor:
        from torch.nn.functional import layer_norm

        return layer_norm(x, (self.dimension,), affine.weight, affine.bias, self._epsilon)


def _affine(weights: Mapping[str, Tensor], name: str) -> _Affine:
    return _Affine(weights[f"{name}.weight"].contiguous(), weights[f"{name}.bias"].contiguous())


def _layer(weights: Mapping[str, Tensor], number: int) -> _Layer:
    import torch

    base = f"encoder.layer.{number}"
    parts = [_affine(weights, f"{base}.attention.self.{part}") for part in ("query", "key", "value")]
    return _Layer(
        query_key_value=_Affine(torch.cat([p.weight for p in parts]), torch.cat([p.bias for p in parts])),
        attention_out=_affine(weights, f"{base}.attention.output.dense"),
        attention_norm=_affine(weights, f"{base}.attention.output.LayerNorm"),
        widen=_affine(weights, f"{base}.intermediate.dense"),
        narrow=_affine(weights, f"{base}.output.dense"),
        output_norm=_affine(weights, f"{base}.output.LayerNorm"),
    )


def _tokenizer(files: EncoderFiles) -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(files.folder / "tokenizer.json"))
    # The file of all-MiniLM-L6-v2 pads to 128 and cuts at 128; neither belongs to the model.
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
