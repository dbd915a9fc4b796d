"""Words that say nothing of a text's subject, for keywords in English, Bulgarian and Filipino.

English: the list of Snowball, without contractions. Bulgarian and Filipino: pronouns, prepositions, conjunctions,
particles and forms of `to be` and `to have`, collected for this project.
"""

from __future__ import annotations

from functools import cache

from passer.domain.base import digest_of

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
