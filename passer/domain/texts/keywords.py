"""Keywords of a text: what is left of its words without stop words, as a set and without stems."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby

from passer.domain.base import digest_of
from passer.domain.texts.search_words import folded, without_shapeless
from passer.domain.texts.words import Piece, is_ideographic, is_unspaced, unicode_pieces, unicode_words

_ENGLISH = """
i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its
itself they them their theirs themselves what which who whom this that these those am is are was were be been being have
has had having do does did doing would should could ought a an the and but if or because as until while of at by for
with about against between into through during before after above below to from up down in out on off over under again
further then once here there when where why how all any both each few more most other some such no nor not only own same
so than too very can will just may might must shall also
"""
_BULGARIAN = """
а аз ако ала без беше би бива бил била били било близо бъде бъдат в вас ваш ваша ваше ваши вече ви вие във
все всеки всички всичко всяка всяко га го да дали до докато дори досега е едва един една едно едни ето за зад заради
затова защо защото и из или им има имат иска й каза как каква какво какви какъв като кога когато което които кой който
която към ли ме между мен ми много мога могат може можем мой моя моята му на над най нас наш не него нея неговия ни ние
никой нито нищо но ново ня няма няколко някои някой обаче около освен от по повече под поне понеже после почти пред
преди при пък са само се сега си след сме сред срещу сте съм със също тази така такава такива такова такъв там те тези
ти то това тогава този той толкова точно трябва тук тъй тя тях у ще щом я
"""
_FILIPINO = """
ako ikaw siya tayo kami kayo sila ko mo niya natin namin ninyo nila akin iyo kaniya atin amin inyo kanila ang ng mga sa
si ni kay sina nina kina na pa ba po ho din rin daw raw lang lamang man nga pala yata kaya at o ngunit pero subalit kung
kapag pag dahil sapagkat upang para tungkol mula hanggang habang bago pagkatapos matapos ito iyan iyon nito niyan noon
dito diyan doon ganito ganyan gayon ay may mayroon wala hindi huwag oo ano anong sino alin aling kailan saan bakit paano
ilan ilang gaano lahat bawat ilan iba ibang isa isang dapat maaari maaaring maging nang kanilang kanyang kaniyang aking
ating aming inyong aming nasa tulad gaya saka pati
"""
STOP_WORDS: dict[str, frozenset[str]] = {
    "en": frozenset(_ENGLISH.split()),
    "bg": frozenset(_BULGARIAN.split()),
    "tl": frozenset(_FILIPINO.split()),
}
"""Stop words by language; other languages have none."""
FEWEST_LETTERS = 3
"""Shorter words are no keywords, unless they hold a digit or are of a script without spaces between words."""
IDEOGRAPHIC, SYLLABIC = 2, 3
"""Neighbouring letters of one keyword in Chinese and Japanese, and in Thai, Lao, Khmer and Burmese.

A single letter is in nearly every text. Of 39 sentences written by hand about passages in six of these languages, all
have 30 % of such keywords in their own passage, and none in the others together; of letters alone, 34 have them there
too. Pairs instead of triples: 7 of 23 there. Triples instead of pairs: 9 of 16 in their own.
"""


_IN_NUMBER = re.compile(r"(?<=\d)[,\u066b\u066c](?=\d)")


@cache
def stop_words_digest() -> str:
    """Return the SHA-256 of all lists; it is reported with figures that count keywords."""
    return digest_of({language: sorted(words) for language, words in STOP_WORDS.items()})


def has_stop_words(language: str) -> bool:
    """Return whether there is a list for a BCP 47 tag."""
    return bool(stop_words(language))


def stop_words(language: str) -> frozenset[str]:
    """Return the stop words of a BCP 47 tag; empty for a language without a list. `fil` is read as `tl`."""
    primary = language.lower().replace("_", "-").partition("-")[0]
    return STOP_WORDS.get("tl" if primary == "fil" else primary, frozenset())


def keywords(text: str, language: str) -> frozenset[str]:
    """Return the case-folded words of at least three letters or with a digit, without the language's stop words."""
    return _kept(unicode_words(text), language)


def compared_keywords(text: str, language: str) -> frozenset[str]:
    """Return the keywords by which two texts are compared.

    As `keywords`, but in scripts without spaces between words each two or three letters without a space between them
    are one.
    """
    return _kept(_compared(text), language)


def folded_keywords(text: str, language: str) -> frozenset[str]:
    """Return the keywords of a text, with different spellings of one word equal, to compare answers with passages.

    As for BM25, optional marks, kinds of apostrophes, digits and width make no difference; nor do commas and points
    within numbers. Judged metrics keep `compared_keywords`, because published studies recompute what their judges were
    given.
    """
    return _kept(map(_spelled_alike, set(_compared(without_shapeless(text)))), language)


def _spelled_alike(word: str) -> str:
    # Languages disagree whether 3,5 has a decimal; underscores at the ends are Markdown's emphasis.
    return _IN_NUMBER.sub(".", folded(word)).strip("_")


def _kept(words: Iterable[str], language: str) -> frozenset[str]:
    ignored = stop_words(language)
    return frozenset(word for word in words if word not in ignored and _is_informative(word))


def _compared(text: str) -> Iterable[str]:
    return _neighbours(text) if is_unspaced(text) else unicode_words(text)


def _neighbours(text: str) -> Iterator[str]:
    for chunk in text.split():
        for size, run in groupby(unicode_pieces(chunk), key=_size):
            words = [piece.text.casefold() for piece in run if size]
            # A run that is shorter than a keyword is one.
            yield from ("".join(words[n : n + size]) for n in range(max(1, len(words) - size + 1)) if words)


def _size(piece: Piece) -> int:
    """Return how many neighbours make a keyword: one, more of letters in a script without spaces, none of marks."""
    if not piece.is_word or not is_unspaced(piece.text):
        return int(piece.is_word)
    return IDEOGRAPHIC if is_ideographic(piece.text) else SYLLABIC


def split_keywords(text: str, language: str) -> frozenset[str]:
    """Return what white space separates, case-folded with its punctuation, as LitPath's program cuts its sources."""
    return _kept(text.casefold().split(), language)


def _is_informative(word: str) -> bool:
    return len(word) >= FEWEST_LETTERS or any(map(str.isdigit, word)) or is_unspaced(word)


def shared(words: frozenset[str], others: frozenset[str]) -> float | None:
    """Return the share of some keywords that are among others, in [0, 1]; None without keywords."""
    return len(words & others) / len(words) if words else None


def language_of(group: str | None, language: str) -> str:
    """Return the language of a question: its group where that names a language with stop words, else the dataset's."""
    return group if group is not None and group in STOP_WORDS else language
