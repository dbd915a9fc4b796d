"""Chains: the prompts of one question, in the order in which a model server reads least.

A threshold keeps the first passages of a ranking, and the question stands after them: the prompts of one question begin
alike, and a server that keeps what it has read needs to read each passage once. Measured with the built-in model
(benchmarks/model.py): the chains read little more than the longest prompts alone.
"""

from __future__ import annotations

from passer.domain.chat import Chain
from passer.services.pipeline.answerer import PreparedQuestion
from passer.services.sweeps.tasks import Task


def chain_of(task: Task, question: PreparedQuestion) -> Chain | None:
    """Return the chain of an evaluation's prompt; None for a reader that reads no prompts.

    Another template, retriever or collection begins otherwise. Temperatures and repetitions share their prompt.
    """
    config, info = task.run.config, task.run.model_info
    if not config.model.reads_prompts:
        return None
    key = f"{config.model.name} {config.prompt} {config.ranked_by} {task.number}"
    length = sum(len(message.content) for message in question.prompt.messages)
    # vLLM shares between all requests that it works on: once the longest prompt is read, the others can come together.
    # Elsewhere the next prompt extends what a slot holds. The longest first would read as little, but llama.cpp then
    # copies its memory at each step, and models with a sliding window cannot go back.
    fans_out = bool(info and info.engine and info.engine.lower().startswith("vllm"))
    return Chain(key=key, place=-length if fans_out else length, fans_out=fans_out)
