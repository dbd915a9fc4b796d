"""Recognises replies that state that the passages do not contain the answer, in several languages."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from passer.domain.texts.words import composed

ABSTENTION = "The passages do not contain the answer to this question."
"""Sentence that prompts ask the model to use if the passages do not contain the answer."""

MAX_ABSTENTION_WORDS = 60
"""A longer reply contains an answer, however it begins."""

LANGUAGES = ("en", "bg", "de", "es", "tl")
"""Languages whose usual abstentions are recognised. In others only the fixed sentence is."""


class _Phrases(NamedTuple):
    """Patterns of one language, for casefolded text (`ß` is `ss`) with single spaces."""

    apology: str
    """Apology that may come first; a "but" after it is no contrast."""
    according: str
    """Reference to the passages that may come next: "based on the context"."""
    forms: tuple[str, ...]
    contrast: str
    """Words after which a reply continues with an answer."""


_FEW = r"(?: [^ .,;:]+){0,8}?"
"""Up to eight words of the same clause."""


def _english() -> _Phrases:
    source = (
        r"(?:the |these |any of the |none of the |this )?(?:given |provided |retrieved |above )?"
        r"(?:passages?|context|documents?|texts?|sources?|excerpts?)(?: (?:provided|given|above))?"
    )
    holds = r"(?:contain|include|provide|hold|give|have|offer)s?"
    tells = r"(?:mention|state|specify|specifie|say|answer|address|addresse|discuss|discusse|cover)s?"
    negated = r"(?:do not|does not|don't|doesn't|did not|didn't|cannot|can't)"
    thing = (
        r"(?:the |an |any |enough |sufficient |specific |relevant |direct |exact |explicit )*"
        r"(?:answers?|information|details?|evidence|mention|data)\b"
    )
    return _Phrases(
        apology=r"(?:i am sorry|i'm sorry|sorry|unfortunately|i apologi[sz]e)[,:.]? (?:but )?",
        according=rf"(?:based on|according to|from|in) {source}",
        forms=(
            rf"{source} {negated} {holds} {thing}",
            rf"{source} {negated} {tells}\b",
            rf"none of {source} {holds} {thing}",
            rf"none of {source} {tells}\b",
            r"i (?:do not|don't) know(?: the answer(?: to (?:this|the) question)?)?(?:$|[.,;:])",
            r"i (?:cannot|can't|can not|could not|couldn't|am unable to|am not able to) (?:answer|find|determine)\b",
            rf"there is (?:no|not enough|insufficient) {thing}",
            r"(?:no|not enough|insufficient) (?:relevant |specific )*(?:answer|information) "
            r"(?:is |was )?(?:found|given|provided|available|in)\b",
            rf"(?:the answer|the information|it|this|that) is not (?:\w+ )?(?:in|by|from) {source}",
            rf"not (?:mentioned|found|specified|stated|given|provided|answered) (?:in|by) {source}",
        ),
        contrast=(r"\b(?:but|however|nevertheless|nonetheless|although|though|still|instead)\b(?! (?:no|not)\b)"),
    )


def _bulgarian() -> _Phrases:
    source = (
        r"(?:предоставен\w* |даден\w* |горн\w* |посочен\w* |приложен\w* |тези |този )?"
        r"(?:пасаж|откъс|контекст|текст|документ|източни)\w*"
    )
    thing = (
        r"(?:достатъчно |конкретн\w+ |пряк\w* |точ\w+ |никакв\w* )*(?:отговор|информация|данни|сведения|подробности)\w*"
    )
    says = r"(?:споменава|посочва|указва|казва|уточнява|съдържа|обсъжда|дава)\w*"
    return _Phrases(
        apology=r"(?:съжалявам|за съжаление|извинете|извинявам се)[,:.]? (?:но )?",
        according=rf"(?:въз основа на|според|от|в|във) {source}",
        forms=(
            rf"{source} не (?:съдържа|предостав|дава|включва|предлага)\w* {thing}",
            rf"{source} не (?:споменава|посочва|указва|казва|уточнява|отговаря|обсъжда)\w*",
            rf"(?:нито един|никой) от {source} не \w+",
            r"(?:аз )?не (?:знам|зная)(?: отговора(?: на (?:този|въпроса)(?: въпрос)?)?)?(?:$|[.,;:])",
            r"(?:аз )?не (?:мога|успях) да (?:отговоря|намеря|определя|открия)\b",
            rf"(?:в|във) {source} (?:няма {thing}|не се {says}|липсв\w+ {thing})",
            rf"(?:няма|липсва) {thing}",
            rf"(?:отговорът|информацията|това) не (?:се \w+|е \w+)(?: в| във) {source}",
            rf"не (?:е|се) \w+ (?:в|във) {source}",
            r"не (?:е|беше) намерен\w* (?:отговор|информация)",
        ),
        contrast=r"\b(?:но|обаче|все пак|въпреки това|макар)\b(?! (?:не|няма)\b)",
    )


def _german() -> _Phrases:
    source = (
        r"(?:der |die |den |dem |das |diese[nmr]? )?"
        r"(?:angegebene[nrm]? |bereitgestellte[nrm]? |gegebene[nrm]? |vorliegende[nrm]? |obige[nrm]? )?"
        r"(?:text)?(?:passagen?|abschnitte?n?|texte?n?|kontext|dokumente?n?|quellen?|auszüge?n?|auszug|stellen?)"
    )
    thing = (
        r"(?:ausreichenden? |genauen? |konkreten? |spezifischen? |relevanten? |direkten? )*"
        r"(?:antwort(?:en)?|information(?:en)?|angaben?|auskunft|hinweise?|details|daten)\b"
    )
    holds = r"(?:enthält|enthalten|bietet|bieten|gibt|geben|liefert|liefern|nennt|nennen)"
    tells = r"(?:erwähn|nenn|beantwort|behandel|sag)(?:t|en|n|et)"
    return _Phrases(
        apology=r"(?:es tut mir leid|tut mir leid|leider|entschuldigung)[,:.]? (?:aber )?",
        according=rf"(?:auf (?:der )?grundlage|basierend auf|laut|gemäss|nach|aus|anhand|in) {source}",
        forms=(
            rf"{source} {holds} (?:keine?|nicht genügend|nicht genug) {thing}",
            rf"{source} {holds} (?:die |eine ){thing}{_FEW} nicht\b(?! nur)",
            rf"{source} {tells}{_FEW} nicht\b(?! nur)",
            rf"(?:{holds}|{tells}) {source}{_FEW} (?:keine? {thing}|nicht\b(?! nur))",
            rf"keine[r]? (?:der|dieser) {source} (?:{holds}|{tells})\b",
            r"(?:das weiss ich nicht|ich weiss(?: es| das| die antwort)? nicht)(?:$|[.,;:])",
            rf"(?:ich kann|kann ich|ich konnte|konnte ich){_FEW} (?:nicht|keine?{_FEW}) "
            r"(?:beantworten|finden|bestimmen|ermitteln|feststellen)",
            rf"(?:es gibt|es liegen|es finden sich) (?:keine?|nicht genügend) {thing}",
            rf"keine {thing}{_FEW} (?:gefunden|vorhanden|verfügbar|enthalten)",
            r"(?:die antwort|die information|das|dies|es) (?:ist|wird|steht|geht) (?:nicht )?"
            rf"(?:in|aus) {source} (?:nicht )?"
            r"(?:enthalten|erwähnt|genannt|hervor|zu finden|angegeben)",
            rf"in {source} (?:wird|ist|steht|gibt es|finden sich|findet sich){_FEW} (?:nicht|nichts|keine)\b",
            rf"nicht in {source} (?:enthalten|erwähnt|angegeben|genannt)",
        ),
        contrast=r"\b(?:aber|jedoch|allerdings|dennoch|trotzdem|obwohl|stattdessen)\b(?! (?:nicht|kein\w*)\b)",
    )


def _spanish() -> _Phrases:
    source = (
        r"(?:el |los |las |la |este |estos )?(?:pasajes?|contexto|documentos?|textos?|fuentes?|fragmentos?|extractos?)"
        r"(?: (?:proporcionad|dad|recuperad|anterior|facilitad)\w*)?"
    )
    thing = (
        r"(?:la |una |ninguna |suficiente |los |más )*"
        r"(?:respuesta|información|detalles?|datos|mención|evidencia)s?\b"
    )
    holds = r"(?:contien|incluy|proporcion|ofrec|da|brind|tien)\w*"
    tells = r"(?:mencion|indic|especific|dice|responde|aborda|trata|señala)\w*"
    return _Phrases(
        apology=r"(?:lo siento|lamentablemente|desafortunadamente|por desgracia|disculpe|perdón)[,:.]? (?:pero )?",
        according=rf"(?:según|de acuerdo con|con base en|basándome en|a partir de|en) {source}",
        forms=(
            rf"{source} no {holds} {thing}",
            rf"{source} no {tells}",
            rf"ningun[oa] de {source} (?:{holds}|{tells})",
            r"(?:yo )?no (?:lo )?(?:sé|conozco)(?: la respuesta(?: a (?:esta|la) pregunta)?)?(?:$|[.,;:])",
            r"no (?:puedo|pude|es posible|me es posible|se puede) (?:responder|contestar|encontrar|determinar)\b",
            rf"no (?:hay|existe|se encontró|encuentro) {thing}",
            rf"(?:la respuesta|la información|eso|esto) no (?:está|se \w+|aparece|figura)(?: \w+)? en {source}",
            rf"(?:en {source} )?no se (?:menciona|indica|especifica|dice|encuentra|proporciona)\w*",
        ),
        contrast=r"\b(?:pero|sin embargo|no obstante|aunque|en cambio)\b(?! (?:no|tampoco)\b)",
    )


def _filipino() -> _Phrases:
    source = (
        r"(?:mga )?(?:ibinigay na |naibigay na |nasabing )?"
        r"(?:sipi|talata|konteksto|dokumento|teksto|pinagmulan|pinagkunan)(?: na ibinigay)?"
    )
    thing = r"(?:sapat na |tiyak na |anumang )*(?:ang )?(?:sagot|impormasyon|detalye|datos)\b"
    says = (
        r"(?:nabanggit|binanggit|binabanggit|nakasaad|tinukoy|tinutukoy|nasasaad|makikita|matatagpuan|sinasabi|sinagot)"
    )
    return _Phrases(
        apology=(
            r"(?:paumanhin|pasensya na|ikinalulungkot ko|sa kasamaang palad)(?: po)?[,:.]? "
            r"(?:ngunit |pero |subalit )?"
        ),
        according=rf"(?:batay sa|ayon sa|mula sa|sa) {source}",
        forms=(
            rf"(?:ang {source} ay )?hindi (?:naglalaman|nagbibigay|nagtataglay)(?: ang {source})? ng {thing}",
            rf"(?:ang {source} ay )?walang {thing}",
            rf"wala sa {source} {thing}",
            rf"(?:ang {source} ay )?hindi (?:ito |iyon )?{says}(?: (?:ito |iyon |ang \w+ )?sa| ng| ang) {source}",
            rf"(?:ang sagot|ito|iyon|ang impormasyon) ay (?:hindi {says}|wala) sa {source}",
            r"hindi ko (?:po )?alam(?: ang sagot(?: sa (?:tanong|tanong na ito))?)?(?:$|[.,;:])",
            r"hindi ko (?:po )?(?:masasagot|masagot|mahanap|matukoy|makita)\b",
        ),
        contrast=r"\b(?:ngunit|pero|subalit|gayunman|gayunpaman|datapwat|bagaman)\b(?! (?:hindi|wala|walang)\b)",
    )


_PHRASES = (_english(), _bulgarian(), _german(), _spanish(), _filipino())


@cache
def _patterns() -> tuple[list[re.Pattern[str]], re.Pattern[str], re.Pattern[str]]:
    """Return patterns of the beginnings of abstentions by language, of apologies, and of what retracts an abstention.

    Compiled at the first reply: this takes .1 s, which every start of the program would pay.
    """
    abstains = [
        re.compile(rf"^(?:{each.apology})?(?:{each.according},? ?)?(?:{'|'.join(each.forms)})") for each in _PHRASES
    ]
    apologies = re.compile(rf"^(?:{'|'.join(each.apology for each in _PHRASES)})")
    return abstains, apologies, re.compile("|".join(each.contrast for each in _PHRASES))


def is_abstention(text: str) -> bool:
    """Return whether a reply says that the passages do not contain the answer, or that it is not known.

    True if the reply, without regard to case, spaces, quotes and Markdown, begins with the fixed sentence or with one
    of the common ways of saying it in one of LANGUAGES, is no longer than `MAX_ABSTENTION_WORDS` words, and does not go
    on to answer after a "but" or "however". In other languages only the fixed sentence counts.
    """
    plain = re.sub(r"\s+", " ", composed(text).replace("\u2019", "'").casefold())
    plain = re.sub(r"[*_`\"\u201c\u201d\u201e\u00ab\u00bb]", "", plain).strip(" '")
    if not plain or len(plain.split()) > MAX_ABSTENTION_WORDS:
        return False
    begins = plain.startswith(ABSTENTION.casefold().rstrip("."))
    abstains, apologies, contrasts = _patterns()
    if not (begins or any(each.match(plain) for each in abstains)):
        return False
    return not contrasts.search(apologies.sub("", plain))
