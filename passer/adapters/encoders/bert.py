"""BERT's forward pass for one text at a time, without transformers.

The weights are those of the checkpoint; query, key and value are one matrix product. The same text gives the same bytes
in every run, because the shapes of all products depend on that text alone. docs/decisions/003 gives the measurements
behind each choice here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from passer.adapters.encoders.files import EncoderFiles

if TYPE_CHECKING:
    from torch import Tensor, dtype


_ROWS = 8
"""Rows are rounded up to a multiple of this, because oneDNN takes 5 ms to prepare each new number of rows."""


class Linear:
    """x W' + b, optionally followed by GELU. Thread-safe.

    The weights are in oneDNN's layout where torch supports it: a tenth faster than the plain product.
    """

    def __init__(self, weight: Tensor, bias: Tensor, *, gelu: bool) -> None:
        packed = _packed(weight)
        self._is_packed = packed is not None
        self._weight = weight if packed is None else packed
        self._bias = bias
        self._gelu = gelu

    def __call__(self, x: Tensor) -> Tensor:
        """Apply the layer: (n, in) -> (n, out)."""
        import torch
        from torch.nn.functional import gelu, linear

        if not self._is_packed:
            rows = linear(x, self._weight, self._bias)
            return gelu(rows) if self._gelu else rows
        after, algorithm = ("gelu", "none") if self._gelu else ("none", "")
        pointwise: Callable[..., Tensor] = torch.ops.mkldnn._linear_pointwise
        return pointwise(x, self._weight, self._bias, after, [], algorithm)


@dataclass(frozen=True)
class _Norm:
    weight: Tensor
    bias: Tensor


@dataclass(frozen=True)
class _Layer:
    query_key_value: Linear
    attention_out: Linear
    attention_norm: _Norm
    widen: Linear
    narrow: Linear
    output_norm: _Norm


@dataclass(frozen=True)
class _First:
    """Attention of the last layer's first token; weights of shape (heads, dimension / heads, dimension)."""

    query: Linear
    key: Tensor
    value: Tensor
    value_bias: Tensor


def is_plain_bert(files: EncoderFiles) -> bool:
    """Return whether this module's forward pass equals the model's."""
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
    """Computes the hidden states of one text. Thread-safe."""

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
        self._embedding_norm = _norm(weights, "embeddings.LayerNorm")
        count = int(files.config["num_hidden_layers"])
        self._layers = [_layer(weights, number) for number in range(count)]
        self._first = _first(weights, count - 1, heads=self._heads)
        self._tokenizer = _tokenizer(files)
        self.unknown_id: int | None = self._tokenizer.token_to_id("[UNK]")
        self._tokenizer.enable_truncation(min(max_tokens, len(self._places)))

    def tokens(self, text: str) -> tuple[list[int], bool]:
        """Return word-piece ids with [CLS] and [SEP], and whether the text was cut."""
        encoding = self._tokenizer.encode(text)
        return encoding.ids, bool(encoding.overflowing)

    def states(self, ids: Sequence[int], *, layer: int, first_only: bool) -> tuple[Tensor, Tensor]:
        """Return the states of the last layer and of `layer`, each (n_tokens, dimension), or (1, dimension)."""
        import torch

        count = len(ids)
        rows = min(-(-count // _ROWS) * _ROWS, len(self._places))
        with torch.inference_mode():
            # Padding rows are no keys, so no token attends to them.
            x = self._words[torch.tensor([*ids, *[0] * (rows - count)])] + self._places[:rows]
            chosen = x = self._norm(x, self._embedding_norm)
            for number, weights in enumerate(self._layers, start=1):
                if first_only and number == len(self._layers):
                    mixed, x = self._seen_by_first(x[:count]), x[:1]
                else:
                    mixed = self._attention(weights.query_key_value(x), count)
                x = self._after_attention(mixed, x, weights)
                if number == layer:
                    chosen = x
            kept = 1 if first_only else count
            return x[:kept], chosen[:kept]

    def _attention(self, rows: Tensor, count: int) -> Tensor:
        """Return the attention of each row over the first `count` rows: (n, 3 dimension) -> (n, dimension)."""
        from torch.nn.functional import scaled_dot_product_attention

        query, key, value = (self._split(part) for part in rows.chunk(3, dim=1))
        mixed = scaled_dot_product_attention(query, key[:, :, :count], value[:, :, :count])
        return mixed.transpose(1, 2).reshape(len(rows), self.dimension)

    def _seen_by_first(self, x: Tensor) -> Tensor:
        """The last layer's attention of [CLS] alone: its one query goes through the key weights, not all the keys.

        q . (K x_j) = (K' q) . x_j, and the sum of p_j V x_j is V times the sum of p_j x_j; the bias of the keys adds
        the same to every q . k_j, which softmax takes out again.
        """
        import torch

        first = self._first
        query = first.query(x[:1]).view(self._heads, 1, -1)
        reach = torch.bmm(query, first.key)[:, 0] / query.shape[2] ** 0.5
        shares = torch.softmax(reach @ x.T, dim=1)
        return torch.bmm(first.value, (shares @ x)[:, :, None]).view(1, -1) + first.value_bias

    def _after_attention(self, mixed: Tensor, x: Tensor, weights: _Layer) -> Tensor:
        x = self._norm(weights.attention_out(mixed).add_(x), weights.attention_norm)
        return self._norm(weights.narrow(weights.widen(x)).add_(x), weights.output_norm)

    def _split(self, rows: Tensor) -> Tensor:
        """Return a view of the rows by head: (n, dimension) -> (1, heads, n, dimension / heads)."""
        return rows.view(1, len(rows), self._heads, -1).transpose(1, 2)

    def _norm(self, x: Tensor, norm: _Norm) -> Tensor:
        from torch.nn.functional import layer_norm

        return layer_norm(x, (self.dimension,), norm.weight, norm.bias, self._epsilon)


def _norm(weights: Mapping[str, Tensor], name: str) -> _Norm:
    return _Norm(weights[f"{name}.weight"].contiguous(), weights[f"{name}.bias"].contiguous())


def _linear(weights: Mapping[str, Tensor], *names: str, gelu: bool = False) -> Linear:
    """Return one linear map for one matrix or several side by side."""
    import torch

    weight = torch.cat([weights[f"{name}.weight"] for name in names])
    return Linear(weight, torch.cat([weights[f"{name}.bias"] for name in names]), gelu=gelu)


def _packed(weight: Tensor) -> Tensor | None:
    """Return the weights in oneDNN's layout; None if this torch, processor or precision does not support it."""
    import torch

    if not torch.backends.mkldnn.is_available():  # type: ignore[no-untyped-call]
        return None
    try:
        packed: Tensor = torch.ops.mkldnn._reorder_linear_weight(weight)
        torch.ops.mkldnn._linear_pointwise(weight.new_zeros(1, weight.shape[1]), packed, None, "gelu", [], "none")
    except (AttributeError, RuntimeError, NotImplementedError):
        # torch names these operators for its own compiler, so a release may drop them.
        return None
    return packed


def _layer(weights: Mapping[str, Tensor], number: int) -> _Layer:
    base = f"encoder.layer.{number}"
    return _Layer(
        query_key_value=_linear(weights, *(f"{base}.attention.self.{part}" for part in ("query", "key", "value"))),
        attention_out=_linear(weights, f"{base}.attention.output.dense"),
        attention_norm=_norm(weights, f"{base}.attention.output.LayerNorm"),
        widen=_linear(weights, f"{base}.intermediate.dense", gelu=True),
        narrow=_linear(weights, f"{base}.output.dense"),
        output_norm=_norm(weights, f"{base}.output.LayerNorm"),
    )


def _first(weights: Mapping[str, Tensor], number: int, *, heads: int) -> _First:
    base = f"encoder.layer.{number}.attention.self"

    def by_head(part: str) -> Tensor:
        matrix = weights[f"{base}.{part}.weight"]
        return matrix.reshape(heads, len(matrix) // heads, -1).clone()

    return _First(
        query=_linear(weights, f"{base}.query"),
        key=by_head("key"),
        value=by_head("value"),
        value_bias=weights[f"{base}.value.bias"].clone(),
    )


def _tokenizer(files: EncoderFiles) -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(files.folder / "tokenizer.json"))
    # The tokenizer file of all-MiniLM-L6-v2 pads to 128 and cuts at 128; neither belongs to the model.
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
