"""Usual abstentions in the languages of the prompts that are tried most."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Phrases(NamedTuple):
    """Patterns of one language, for casefolded text (`ß` is `ss`) with single spaces."""

    apology: str
    """Apology that may come first; a "but" after it is no contrast."""
    according: str
    """Reference to the passages that may come next: "based on the context"."""
    forms: tuple[str, ...]
    contrast: str
    """Words after which a reply continues with an answer."""
    then: str = ""
    """Words that lead from an abstention to a remark: "therefore"."""
    about: str = ""
    """Beginnings of words with which a sentence is about passages and answers, not about what was asked. Empty where
    they are not known: whatever follows an abstention is then a part of it."""
    remarks: tuple[str, ...] = ()
    """Beginnings of other sentences that answer nothing: what *they* are about, what is missing, advice."""


_FEW = r"(?: [^ .,;:]+){0,8}?"
"""Up to eight words of the same clause."""


def _english() -> Phrases:
    source = (
        r"(?:the |these |any of the |none of the |this )?(?:given |provided |retrieved |above )?"
        r"(?:passages?|context|documents?|texts?|sources?|excerpts?|notes)(?: (?:provided|given|above))?"
    )
    holds = r"(?:contain|include|provide|hold|give|have|offer)s?"
    tells = r"(?:mention|state|specify|specifie|say|answer|address|addresse|discuss|discusse|cover)s?"
    negated = r"(?:do not|does not|don't|doesn't|did not|didn't|cannot|can't)(?: (?:directly|explicitly|clearly))?"
    thing = (
        r"(?:the |an? |any |this |that |such |enough |sufficient |specific |relevant |verified |direct |exact |"
        r"explicit |clear )*(?:answers?|information|details?|evidence|mention|data)\b"
    )
    return Phrases(
        apology=r"(?:i am sorry|i'm sorry|sorry|unfortunately|i apologi[sz]e)[,:.]? (?:but )?",
        according=rf"(?:based on|according to|from|in) {source}",
        forms=(
            rf"{source} {negated} {holds} {thing}",
            rf"{source} {negated} {tells}\b",
            rf"(?:none of|neither(?: of)?|no) {source} (?:{holds} {thing}|{tells}\b)",
            r"i (?:do not|don't) know(?: the answer(?: to (?:this|the) question)?)?"
            rf"(?: (?:based on|according to|from) {source})?(?:$|[.,;:])",
            rf"i (?:do not|don't) have (?:access to )?(?:{thing}|any relevant context\b)",
            r"(?:i (?:cannot|can't|can not|could not|couldn't|am not able to)|(?:i am )?unable to) "
            r"(?:answer|determine|find)\b(?! fault\b)",
            rf"{source} (?:is|are) (?:not (?:enough|sufficient)|insufficient) to (?:answer|determine)\b",
            rf"there is (?:no|not enough|too little|insufficient) {thing}",
            r"(?:no|not enough|insufficient) (?:relevant |specific )*(?:answer|information) "
            r"(?:is |was |can be )?(?:found|given|provided|available|in)\b",
            r"(?:not enough|insufficient) (?:information|context|data) to (?:answer|determine|say)\b",
            rf"(?:(?:(?:the )?answer|(?:the|this|that|such) information|it|this|that) is|answer) not (?:\w+ )?"
            rf"(?:in|by|from) {source}",
            r"(?:the|this|your) question (?:cannot|can't|can not|could not) be answered\b",
            rf"(?:the answer|it|this|that) (?:cannot|can't|could not) be \w+ (?:from|in|with|by|using) {source}",
            r"(?:it is|it's) (?:not possible|impossible) to (?:answer (?:this|the) question|determine the answer)\b",
            # Nothing else is said.
            r"(?:unknown|n/a|no (?:relevant )?(?:answer|information|data)|not (?:enough|sufficient) "
            r"(?:information|context|data)|insufficient (?:information|context|data|evidence)|"
            r"not (?:available|found|known|mentioned|specified|stated|provided))"
            r"(?: available| found| given| provided)?(?:[.:]|$)",
            rf"not (?:mentioned|found|specified|stated|given|provided|answered) (?:in|by) {source}",
        ),
        contrast=(r"\b(?:but|however|nevertheless|nonetheless|although|though|still|instead)\b(?! (?:no|not)\b)"),
        then=r"therefore|thus|hence|so|as a result|consequently|as such|for this reason|in this case|also|moreover",
        about=(
            r"passage|context|document|text|source|excerpt|information|detail|data\b|answer|question|topic|mention|"
            r"specif|state[sd]?\b|discuss|given\b|indicat|nothing|missing|consult|expert"
        ),
        remarks=(
            r"(?:they|it|these|this|all of them) (?:describe|talk|speak|focus|cover|deal|refer|concern|address)",
            r"(?:they|it|these|this)\b.* (?:only|merely|just)\b",
            r"(?:i|we) (?:(?:would |do )?(?:need|recommend|suggest)|apologi[sz]e|can (?:only|help|try|look))\b",
            r"(?:please|sorry|feel free|let me know|without|consult|for (?:more|further|additional))\b",
            r"if (?:you (?:have|want|would|can|could|need|provide|share|wish|like)|there (?:is|are)|more|other|any)\b",
            r"(?:you (?:may|might|can|could|should) |it would be \w+ to )(?:want|need|consult|check|look|ask|try)\b",
        ),
    )


def _bulgarian() -> Phrases:
    source = (
        r"(?:предоставен\w* |даден\w* |горн\w* |посочен\w* |приложен\w* |тези |този )?"
        r"(?:пасаж|откъс|контекст|текст|документ|източни)\w*"
    )
    thing = (
        r"(?:достатъчно |конкретн\w+ |пряк\w* |точ\w+ |никакв\w* |тази |този |тези |такава |такива )*"
        r"(?:отговор|информация|данни|сведения|подробности)\w*"
    )
    says = r"(?:споменава|посочва|указва|казва|уточнява|съдържа|обсъжда|дава)\w*"
    return Phrases(
        apology=r"(?:съжалявам|за съжаление|извинете|извинявам се)[,:.]? (?:но )?",
        according=rf"(?:въз основа на|според|от|в|във) {source}",
        forms=(
            rf"{source} не (?:съдържа|предостав|дава|включва|предлага)\w* {thing}",
            rf"{source} не (?:споменава|посочва|указва|казва|уточнява|отговаря|обсъжда)\w*",
            rf"(?:нито един|никой) от {source} не \w+",
            r"(?:аз )?не (?:знам|зная)(?: отговора(?: на (?:този|въпроса)(?: въпрос)?)?)?(?:$|[.,;:])",
            r"(?:аз )?не (?:мога|успях) да (?:отговоря|намеря|определя|открия)\b",
            r"(?:на (?:този |въпроса?) ?(?:въпрос )?|въпросът |отговорът )?не може да (?:се|бъде) "
            r"(?:отговор|определ|установ|намер)\w*",
            rf"не (?:намирам|откривам|намерих|открих) {thing}",
            rf"(?:в|във) {source} (?:няма {thing}|не се {says}|не (?:е|са) \w+ {thing}|липсв\w+ {thing})",
            rf"(?:няма|липсва) {thing}",
            rf"(?:отговорът|информацията|(?:тази|такава) информация|това) не (?:се|е) \w+(?: в| във) {source}",
            rf"не (?:е|се) \w+ (?:в|във) {source}",
            r"не (?:е|беше) (?:намерен\w* (?:отговор|информация)|(?:намерено|посочено|известно)(?:\.|$))",
        ),
        contrast=r"\b(?:но|обаче|все пак|въпреки това|макар)\b(?! (?:не|няма)\b)",
        then=r"следователно|затова|поради това|ето защо|така че|поради тази причина|също така|освен това",
        about=(
            r"пасаж|откъс|контекст|текст|документ|източни|информаци|данни\b|отговор(?:а|ът|и|я)?\b|въпрос|посоч|спомен|"
            r"упомен|уточн|указа|нищо|липсва|тема\b|говори се|разглежда"
        ),
        remarks=(
            r"(?:те|той|тя|то|това|тези) (?:се )?(?:говор|описва|обсъжда|разглежда|отнася|засяга|посветен|са за\b)",
            r"(?:те|той|тя|то|това|тези)\b.* (?:само|единствено)\b",
            r"(?:аз )?(?:не мога|мога (?:само|да (?:помогна|прегледам|ги|потърся))|препоръчвам|съветвам|нуждая се)\b",
            r"(?:моля|съжалявам|за повече|потърсете|проверете|консултирайте|обърнете|(?:необходим|нужн)\w* (?:е|са))\b",
            r"ако (?:имате|желаете|искате|разполагате|предоставите|можете|има)\b",
            r"(?:можете|бихте могли|трябва) да (?:се обърнете|проверите|потърсите|предоставите|зададете|попитате)\b",
        ),
    )


def _german() -> Phrases:
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
    return Phrases(
        apology=r"(?:es tut mir leid|tut mir leid|leider|entschuldigung)[,:.]? (?:aber )?",
        according=rf"(?:auf (?:der )?grundlage|basierend auf|laut|gemäss|nach|aus|anhand|in) {source}",
        forms=(
            rf"{source} {holds} (?:keine?|nicht genügend|nicht genug) {thing}",
            rf"{source} {holds} (?:die |eine |diese ){thing}{_FEW} nicht\b(?! nur)",
            rf"{source} {tells}{_FEW} nicht\b(?! nur)",
            rf"(?:{holds}|{tells}) {source}{_FEW} (?:keine? {thing}|nicht\b(?! nur))",
            rf"keine[r]? (?:der|dieser) {source} (?:{holds}|{tells})\b",
            r"(?:das weiss ich nicht|ich weiss(?: es| das| die antwort)? nicht)(?:$|[.,;:])",
            rf"(?:ich kann|kann ich|ich konnte|konnte ich){_FEW} (?:nicht|keine?{_FEW}) "
            r"(?:beantworten|finden|bestimmen|ermitteln|feststellen)",
            r"(?:dazu |hierzu |darüber )?(?:gibt es|liegen|finden sich|es gibt|es liegen|es finden sich) "
            rf"(?:keine?|nicht genügend) {thing}",
            rf"(?:die|diese) frage (?:kann|lässt sich){_FEW} nicht beantworte\w*",
            r"(?:keine (?:angaben?|antwort|informationen)|unbekannt|nicht angegeben)(?:\.|$)",
            rf"keine {thing}{_FEW} (?:gefunden|vorhanden|verfügbar|enthalten)",
            r"(?:die antwort|diese? information(?:en)?|das|dies|es) (?:ist|sind|wird|steht|geht) (?:nicht )?"
            rf"(?:in|aus) {source} (?:nicht )?"
            r"(?:enthalten|erwähnt|genannt|hervor|zu finden|angegeben)",
            rf"in {source} (?:wird|ist|steht|gibt es|finden sich|findet sich){_FEW} (?:nicht|nichts|keine)\b",
            rf"nicht in {source} (?:enthalten|erwähnt|angegeben|genannt)",
        ),
        contrast=r"\b(?:aber|jedoch|allerdings|dennoch|trotzdem|obwohl|stattdessen)\b(?! (?:nicht|kein\w*)\b)",
        then=r"daher|deshalb|deswegen|somit|folglich|also|aus diesem grund|zudem|ausserdem",
        about=(
            r"passag|abschnitt|text|kontext|dokument|quelle|auszüg|information|angabe|(?:be)?antwort|frage|erwähn|"
            r"genannt|angegeben|hinweis|beschrieben|nichts|fehl|thema|sagen\b"
        ),
        remarks=(
            r"(?:sie|er|es|diese|darin|dort) (?:(?:be)?handel|(?:be)?sprech|spricht|beschreib|befass|beschäftig|bezieh|"
            r"konzentrier|geht|gehen|betreff|betrifft)",
            r"(?:sie|er|es|diese)\b.* (?:nur|lediglich|ausschliesslich)\b",
            r"(?:ich|wir) (?:brauche|bräuchte|benötige|empfehle|bitte|kann (?:nur|ihnen)|würde (?:empfehlen|mehr))",
            r"(?:bitte|entschuldigung|für (?:weitere|mehr|genauere)|gerne|(?:dafür|dazu|hierzu|man) müsste)\b",
            r"(?:wenn|falls|sollten) (?:sie|du)(?: \w+){0,4} (?:haben|hast|möchte\w*|wünschen|bereitstell\w*|geben)\b",
            r"sie (?:können|sollten|könnten|müssten) (?:sich|mir|weitere|in|dazu)\b",
        ),
    )


def _spanish() -> Phrases:
    source = (
        r"(?:el |los |las |la |este |estos )?(?:pasajes?|contexto|documentos?|textos?|fuentes?|fragmentos?|extractos?)"
        r"(?: (?:proporcionad|dad|recuperad|anterior|facilitad)\w*)?"
    )
    thing = (
        r"(?:la |una |ninguna |suficiente |los |más |es[ao]s? |est[ao]s? |dicha )*"
        r"(?:respuesta|información|detalles?|datos|mención|evidencia)s?\b"
    )
    holds = r"(?:contien|incluy|proporcion|ofrec|da|brind|tien)\w*"
    tells = r"(?:mencion|indic|especific|dice|responde|aborda|trata|señala)\w*"
    return Phrases(
        apology=r"(?:lo siento|lamentablemente|desafortunadamente|por desgracia|disculpe|perdón)[,:.]? (?:pero )?",
        according=rf"(?:según|de acuerdo con|con base en|basándome en|a partir de|en) {source}",
        forms=(
            rf"{source} no {holds} {thing}",
            rf"{source} no {tells}",
            rf"ningun[oa] de {source} (?:{holds}|{tells})",
            r"(?:yo )?no (?:lo )?(?:sé|conozco)(?: la respuesta(?: a (?:esta|la) pregunta)?)?(?:$|[.,;:])",
            r"no (?:puedo|pude|es posible|me es posible|se puede) (?:responder|contestar|encontrar|determinar)\b",
            rf"no (?:hay|existe|se encontró|encuentro|tengo|dispongo de) {thing}",
            rf"(?:la respuesta|(?:l|es|est)a información|eso|esto) no (?:está|se \w+|aparece|figura)(?: \w+)? "
            rf"en {source}",
            rf"(?:en {source} )?no se (?:menciona|indica|especifica|dice|encuentra|proporciona)\w*",
        ),
        contrast=r"\b(?:pero|sin embargo|no obstante|aunque|en cambio)\b(?! (?:no|tampoco)\b)",
        then=r"por (?:lo )?tanto|por (?:eso|ello)|así que|en consecuencia|entonces|además|tampoco",
        about=(
            r"pasaje|contexto|documento|texto|fuente|fragmento|extracto|información|datos\b|respuesta|responder|"
            r"pregunta|mencion|indica|especific|señala|proporciona|nada|falta|tema\b|detalle|contestar|habla"
        ),
        remarks=(
            r"(?:ellos |estos |este |esto |se |sólo |solo )*(?:habla|describe|trata|refiere|centra|aborda|limita)n?\b",
            r"(?:ellos|estos|este|esto)\b.* (?:sólo|solo|solamente|únicamente)\b",
            r"(?:yo )?(?:(?:le )?(?:recomiendo|sugiero)|necesit(?:o|aría)|lamento|puedo (?:ayud|revis|busc)\w*)\b",
            r"(?:por favor|lo siento|para más|consulte|revise|se (?:necesita|requier)|sería necesari|haría falta)",
            r"si (?:tienes?|dispones?|deseas?|quieres?|necesitas?|puedes?|me|hay)\b",
            r"(?:puede|podría|debería)s? (?:consult|revis|busc|intent|compart|pregunt)",
        ),
    )


def _filipino() -> Phrases:
    source = (
        r"(?:mga )?(?:ibinigay na |naibigay na |nasabing )?"
        r"(?:sipi|talata|konteksto|dokumento|teksto|pinagmulan|pinagkunan)(?: na ibinigay)?"
    )
    thing = r"(?:sapat na |tiyak na |anumang |ganitong )*(?:ang )?(?:sagot|impormasyong?|detalyeng?|datos)\b"
    says = (
        r"(?:nabanggit|binanggit|binabanggit|nakasaad|tinukoy|tinutukoy|nasasaad|makikita|matatagpuan|sinasabi|sinagot)"
    )
    return Phrases(
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


PHRASES: Mapping[str, Phrases] = MappingProxyType(
    {"en": _english(), "bg": _bulgarian(), "de": _german(), "es": _spanish(), "tl": _filipino()}
)
"""Phrases by language, in the order in which they are tried."""
