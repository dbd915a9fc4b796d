"""Log probabilities of a given reply, as three kinds of servers report them in addition to OpenAI's protocol.

llama.cpp reports log probabilities only for tokens that it generates (`echo` is ignored). So each token of the reply is
generated separately, forced by a logit bias that does not enter the reported distribution, after a prompt that its
cache contains. It reports none for a token that is part of a character, as Cyrillic letters are in small vocabularies:
a line break is generated instead, and the token's probability follows from their ratio. (A grammar that allows only one
sequence of tokens would need one request per reply, but fails at such tokens as well.)

vLLM reports the log probabilities of a prompt of token ids (`prompt_logprobs`). Other servers can return a plain prompt
with them (`echo`, as in OpenAI's completions).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from passer.adapters.generators.faults import Refused, failure
from passer.adapters.generators.http_client import ModelServerClient
from passer.domain.models.chat import ChatRequest, LogProbabilities, Message
from passer.domain.models.generation import window_of
from passer.domain.models.model import ModelInfo
from passer.domain.wording.sentence import sentence
from passer.errors import GenerationError

FORCED = 200.0
"""Added to the logit of a token so that it is generated: the logits of a model differ by less than 100."""
LEADS = (40.0, 0.0)
"""Added to the logit of the line break beside a token, so that it is the one that is generated; none where the token is
so improbable that its share would be 0."""
_NOT_OFFERED = (400, 404, 405, 422, 501)


class Measured(NamedTuple):
    """A measured reply."""

    reply: LogProbabilities
    tokens: int | None
    """Tokens of prompt and reply; None where the server does not separate them."""


class LogProbabilityReader:
    """Reads the log probabilities of a request's last message from one server; `root` is its address without /v1."""

    def __init__(self, client: ModelServerClient, *, root: str) -> None:
        self._client, self._root = client, root

    def measured(self, request: ChatRequest, info: ModelInfo) -> Measured:
        """Measure the last message as the reply to those before it; GenerationError where the server cannot."""
        engine = info.engine or ""
        if engine.startswith("llama.cpp"):
            return self._by_llama_cpp(request, info)
        return self._by_vllm(request) if engine.startswith("vllm") else self._by_echo(request)

    def _by_llama_cpp(self, request: ChatRequest, info: ModelInfo) -> Measured:
        *before, reply = request.messages
        rendered = self._post(f"{self._root}/apply-template", {"messages": _dumped(before)})["prompt"]
        prompt = self._tokens({"content": rendered, "add_special": True, "parse_special": True})
        wanted = self._tokens({"content": reply.content, "add_special": False, "parse_special": False})
        window, tokens = window_of(request.options, info.context_length), len(prompt) + len(wanted)
        if tokens >= window:
            # The server would refuse the last tokens only, after it had computed the others.
            said = sentence("server.context-counted", server=self._client.shown, tokens=tokens, window=window)
            raise failure(said, "context_exceeded")
        slot = {} if request.slot is None else {"id_slot": request.slot}
        options = {"n_predict": 1, "cache_prompt": request.shares, **slot}
        values = [
            self._forced({"prompt": prompt + wanted[:place], **options}, token) for place, token in enumerate(wanted)
        ]
        if not any(values):
            # All certain: this server reports probabilities after the bias.
            raise self._no_log_probabilities(request)
        return Measured(LogProbabilities(values=tuple(values), prompt="chat"), tokens)

    def _forced(self, body: dict[str, Any], token: int) -> float:
        """Return the log probability of a token as the next one."""
        found = self._generated(body, token)
        if found is not None:
            return found
        line_break = self._tokens({"content": "\n", "add_special": False})[-1]
        beside = self._generated(body, line_break)
        if beside is None:
            raise ValueError("no probability of a line break")
        return beside + self._ratio(body, token, line_break)

    def _generated(self, body: dict[str, Any], token: int) -> float | None:
        """Generate a token and return its log probability; None for a part of a character."""
        options = {"n_probs": 1, "temperature": 0, "logit_bias": [[token, FORCED]]}
        generated = self._post(f"{self._root}/completion", body | options).get("completion_probabilities")
        if not generated:
            return None
        if generated[0]["id"] != token:
            raise ValueError(f"token {generated[0]['id']} instead of {token}")
        return float(generated[0]["logprob"])

    def _ratio(self, body: dict[str, Any], token: int, other: int) -> float:
        """Return the log of the ratio of the probabilities of two tokens, the other one being generated."""
        options = {"n_probs": 2, "temperature": 1, "samplers": ["temperature"], "post_sampling_probs": True}
        for lead in LEADS:
            bias = {"logit_bias": [[token, FORCED], [other, FORCED + lead]]}
            said = self._post(f"{self._root}/completion", body | options | bias)
            (generated,) = said.get("completion_probabilities") or [{"top_probs": []}]
            shares = {each["id"]: each["prob"] for each in generated["top_probs"]}
            if shares.get(token, 0) > 0 and shares.get(other, 0) > 0:
                return math.log(shares[token] / shares[other]) + lead
        raise ValueError(f"no probability of token {token}")

    def _by_vllm(self, request: ChatRequest) -> Measured:
        *before, reply = request.messages
        model = {"model": request.model.name}
        prompt = self._tokens({**model, "messages": _dumped(before), "add_generation_prompt": True})
        wanted = self._tokens({**model, "prompt": reply.content, "add_special_tokens": False})
        # It generates one token at least.
        body = {**model, "prompt": prompt + wanted, "max_tokens": 1, "temperature": 0, "prompt_logprobs": 0}
        found = self._post("/completions", body)["choices"][0]["prompt_logprobs"]
        places = enumerate(wanted, start=len(prompt))
        values = tuple(float(found[place][str(token)]["logprob"]) for place, token in places)
        return Measured(LogProbabilities(values=values, prompt="chat"), len(prompt) + len(wanted))

    def _by_echo(self, request: ChatRequest) -> Measured:
        *before, reply = request.messages
        prompt = "\n\n".join([*(message.content for message in before), "Answer:"])
        # Tokens begin with the blank before a word.
        whole = f"{prompt} {reply.content}"
        body = {"model": request.model.name, "prompt": whole, "max_tokens": 1, "temperature": 0}
        try:
            said = self._post("/completions", {**body, "echo": True, "logprobs": 1})["choices"][0]
            found = said["logprobs"]
            offsets, logs = found["text_offset"], found["token_logprobs"]
        except (LookupError, TypeError) as exc:
            raise self._no_log_probabilities(request) from exc
        except Refused as exc:
            if exc.status not in _NOT_OFFERED:
                raise
            raise self._no_log_probabilities(request) from exc
        if not str(said["text"]).startswith(whole):
            raise self._no_log_probabilities(request)
        places = zip(offsets, logs, strict=True)
        values = tuple(float(log) for at, log in places if len(prompt) <= at < len(whole))
        return Measured(LogProbabilities(values=values, prompt="text"), None)

    def _tokens(self, body: dict[str, Any]) -> list[int]:
        return list(self._post(f"{self._root}/tokenize", body)["tokens"])

    def _post(self, path: str, body: dict[str, Any]) -> Any:
        return self._client.post(path, json=body, timeout=self._client.first_byte).json()

    def _no_log_probabilities(self, request: ChatRequest) -> GenerationError:
        return no_log_probabilities(self._client.shown, request)


def no_log_probabilities(server: str, request: ChatRequest) -> GenerationError:
    """Return the error of a server that does not report log probabilities of a given text."""
    return failure(sentence("server.no-logprobs", server=server, model=request.model.name), "rejected")


def _dumped(messages: Sequence[Message]) -> list[dict[str, Any]]:
    return [message.model_dump() for message in messages]
