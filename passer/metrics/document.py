"""Generates docs/metrics.md from the metrics' descriptions: `python -m passer.metrics.document`."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from passer.domain.score import VECTOR_ORDER, MetricInfo, Profile
from passer.domain.texts.words import UNICODE_1
from passer.metrics import DEFINITIONS, ENCODER_DECIMALS, infos
from passer.metrics.meteor import EXACT

_HEAD = f"""# Metrics

Generated from the metrics' own descriptions by `make generate`; do not edit.

Two profiles compute the same 24 columns. `standard` follows the definitions of the field's own libraries. `published`
computes what the published PaSSER scoring service computes, quirks included, so that a series that was begun with it
can be continued. A run names its profile, and a composite never mixes profiles.

A score is a finite number, or has a reason why there is none: `empty_answer`, `empty_reference`, `no_tokens` (neither
side has a token by the metric's own tokenizer, or the encoder finds none), `constant_vector`, `encoder_unavailable`,
`unknown_script` (more than 30 % of a text's word pieces are not in the encoder's vocabulary; `standard` only),
`wordnet_unavailable`, `not_finite`. Metrics that need the encoder are rounded to {ENCODER_DECIMALS} decimals. B-RT's
values carry the note `answer_cut_off` where the reference alone filled the encoder's limit.
"""

_SEVERAL = """## Several right answers

A question may have several right answers. An answer is then scored with each of them, and each column keeps its best
value: the highest, for the perplexities the lowest; of equal ones that of the first. Precision, recall and F1 are those
of the right answer with the best F1 (ROUGE-1, ROUGE-2, ROUGE-L and BERTScore, each on its own), and the five columns of
B-RT those of the one with the best average, so that they fit each other. F1 Score is then that of SQuAD's evaluation
script, ROUGE that of `score_multi` of rouge-score, METEOR that of NLTK for several references, and BERTScore's F1 that
of bert-score. BLEU is the best sentence BLEU, not the BLEU of sacreBLEU that counts n-grams of all references together.
A perplexity is relative to the words of its right answer, so the shortest one usually gives the lowest. A value is
missing only if it is with every right answer.
"""
_SCRIPTS_HEAD = f"""## Scripts and languages

The letters of the reference decide how `standard` cuts a pair, so that all configurations of a question share a
tokenizer. Without a letter or digit beyond ASCII in the reference, each column uses the tokens of the library that it
is named after, and a word of the answer with another letter is one token. Any letter or digit beyond ASCII makes it
`{UNICODE_1}` for every text column of the pair, and the values carry the note `{UNICODE_1}`.

`{UNICODE_1}` brings a text into NFC and cuts it at the word boundaries of Unicode (UAX 29). In Han, Kana and the
scripts without spaces (Thai, Lao, Khmer, Myanmar and others of Unicode's line-breaking class SA), each grapheme cluster
is a token. METEOR, BLEU and the perplexities keep punctuation marks as tokens; ROUGE and F1 drop them. BLEU keeps
capitals; the others are casefolded. The perplexities also end a sentence at the full stop of any script.

Nothing else is made equal. Characters that are not visible (soft hyphens, joiners, marks of direction) belong to the
word in which they stand (UAX 29), so the same word without them is another one; so is a word with the vowel signs of
Arabic or Hebrew beside one without, a number in the digits of another script (٣ and 3), and a letter in full width or
in a ligature. The import names references with any of these.

METEOR uses stems and synonyms where the dataset's language is English and the reference has no letter beyond ASCII.
Elsewhere it is **{EXACT}**: equal words only, with the note `meteor_exact`. `published` knows neither rule.
"""
_JUDGED_HEAD = """## Judged metrics

A judge, a language model that you choose, reads question, reference, answer and passages and replies in a fixed form.
Its values are a table of their own beside the 24 columns, one for each judge; a run never loses or changes its 24.
A judge is asked once for the same texts, twice if its reply cannot be used, and never gets a number that it did not
give: a reply that was cut off (`cut_off`), is not JSON (`not_json`) or has another form (`off_schema`) is a reason, and
so are a text that is too long for its window (`prompt_too_long`), a judge that gave no reply (`judge_failed`), a server
without log probabilities (`no_logprobs`), and an answer that is empty (`empty_answer`) or abstains (`abstained`).
Without ratings by people a column is uncalibrated.
"""
_CHARACTERS = "one character or cluster"
_SINGLE = "compares characters: unrelated texts score well above 0; do not rank by it"
_BY_ENCODER = "needs a multilingual encoder"
_SCRIPTS = (
    ("English in ASCII", "the libraries' own", "stems and synonyms", "as in the literature", "built-in encoder"),
    (
        "other languages in ASCII",
        "the libraries' own",
        EXACT,
        "as in the literature; inflected forms differ",
        _BY_ENCODER,
    ),
    ("Latin with other letters (Czech, Polish, Vietnamese)", "words", EXACT, "inflected forms differ", _BY_ENCODER),
    ("Cyrillic, Greek, Armenian, Georgian", "words", EXACT, "inflected forms differ", _BY_ENCODER),
    ("Arabic, Hebrew", "words with their prefixes", EXACT, "prefixed and plain words differ", _BY_ENCODER),
    ("Devanagari, Tamil and other Indic scripts", "words", EXACT, "inflected forms differ", _BY_ENCODER),
    ("Hangul", "words with their particles", EXACT, "the same noun with another particle differs", _BY_ENCODER),
    ("Han, Kana", _CHARACTERS, EXACT, _SINGLE, f"{_BY_ENCODER}, else `unknown_script`"),
    ("Thai, Lao, Khmer, Myanmar", _CHARACTERS, EXACT, _SINGLE, f"{_BY_ENCODER}, else `unknown_script`"),
    ("mixed", "words and characters, each by its script", EXACT, "by the parts", _BY_ENCODER),
)


def document() -> str:
    """Return the page as Markdown."""
    parts = [_HEAD, *_fixed(), _SEVERAL, _SCRIPTS_HEAD, *_scripts()]
    for profile in ("standard", "published", "grounded"):
        parts += _profile(profile)
    parts += [_JUDGED_HEAD, *_profile("judged")]
    return "\n".join(parts)


def _fixed() -> Iterator[str]:
    yield "What stands in every manifest beside the encoder's name, digest, limit and BERTScore layer:\n"
    yield "| | |\n|---|---|"
    yield from (f"| {name} | {value.replace('|', chr(92) + '|')} |" for name, value in DEFINITIONS.items())
    yield ""


def _scripts() -> Iterator[str]:
    yield "| script of the reference | token | METEOR | BLEU, ROUGE, F1 | Cosine, Pearson, BERTScore, B-RT |"
    yield "|---|---|---|---|---|"
    yield from (f"| {' | '.join(row)} |" for row in _SCRIPTS)
    yield ""


def _profile(profile: Profile) -> Iterator[str]:
    yield f"## {profile}\n"
    yield "| column | range | better | needs |\n|---|---|---|---|"
    for info in infos(profile):
        needs = ", ".join(info.needs) or "text alone"
        yield f"| {info.name} | {_range(info)} | {'higher' if info.higher_is_better else 'lower'} | {needs} |"
    yield ""
    for info in infos(profile):
        yield from _metric(info)


def _metric(info: MetricInfo) -> Iterator[str]:
    is_variant = info.profile in ("standard", "published") and info.name not in VECTOR_ORDER
    extra = " (a named variant, beside the 24)" if is_variant else ""
    yield f"### {info.name}, {info.profile}{extra}\n"
    yield f"{info.summary}\n"
    yield f"- Formula: `{info.formula}`"
    yield f"- Range: {_range(info)}; {'higher' if info.higher_is_better else 'lower'} is better"
    yield f"- Limitations: {info.cannot_see}"
    yield from (f"- {note}" for note in info.notes)
    address = f" <{info.citation.url}>" if info.citation.url else ""
    yield f"- {info.citation.text}{address}\n"


def _range(info: MetricInfo) -> str:
    low = "-inf" if info.minimum is None else f"{info.minimum:g}"
    high = "inf" if info.maximum is None else f"{info.maximum:g}"
    return f"{low} to {high}"


if __name__ == "__main__":
    sys.stdout.write(document())
