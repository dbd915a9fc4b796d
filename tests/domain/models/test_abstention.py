"""Hand cases of abstentions, and of answers that look like one."""

from __future__ import annotations

import unicodedata

import pytest

from passer.domain.models.abstention import ABSTENTION, LANGUAGES, is_abstention


@pytest.mark.parametrize(
    "text",
    [
        ABSTENTION,
        ABSTENTION.upper(),
        f"**{ABSTENTION}**",
        f'"{ABSTENTION.rstrip(".")}"',
        f"{ABSTENTION} They only speak of bees.",
        "The  provided passages do not contain\nany information about cadmium.",
        "The context doesn\u2019t provide enough information to answer.",
        "None of the passages mention the year.",
        "I'm sorry, but the passages do not mention that.",
        "Unfortunately, the document does not specify a limit.",
        "Based on the provided context, I cannot determine the limit.",
        "I don't know.",
        "I do not know the answer to this question.",
        "There is no information about cadmium in the passages.",
        "No relevant information was found.",
        "Not mentioned in the passages.",
        "The answer is not given in the passages.",
    ],
)
def test_abstentions(text: str) -> None:
    assert is_abstention(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The limit is 0.01 mg/kg.",
        "No.",
        "The passages describe three kinds of buffer zones.",
        "The regulation does not contain a derogation for wine.",
        "Farmers do not know the exact date.",
        "I do not know of any derogation other than the one for seeds.",
        "The passages do not mention cadmium by name, but the limit for heavy metals is 0.5 mg/kg.",
        f"{ABSTENTION} However, the limit for lead is 0.1 mg/kg.",
        "The passages do not contain the word; the regulation entered into force in 2022. " + "It says more. " * 20,
        "The label must say that the food does not contain information about GMOs.",
        "There is no limit.",
        "A document that does not mention the operator is void.",
    ],
)
def test_answers_are_no_abstentions(text: str) -> None:
    assert not is_abstention(text)


OTHER_LANGUAGES = {
    "bg": [
        "Пасажите не съдържат отговор на този въпрос.",
        "Предоставеният контекст не съдържа достатъчно информация за кадмия.",
        "Съжалявам, но пасажите не споменават това.",
        "За съжаление документът не посочва граница.",
        "Въз основа на предоставения контекст не мога да определя границата.",
        "В пасажите няма информация за кадмий.",
        "В текста не се споменава годината.",
        "Нито един от пасажите не споменава годината.",
        "Не знам.",
        "Не зная отговора на този въпрос.",
        "Няма информация за кадмий в предоставените откъси.",
        "Отговорът не се съдържа в пасажите.",
        "Не е посочено в контекста.",
    ],
    "de": [
        "Die Textpassagen enthalten die Antwort auf diese Frage nicht.",
        "Der bereitgestellte Kontext enthält keine Informationen über Cadmium.",
        "Es tut mir leid, aber die Passagen erwähnen das nicht.",
        "Leider nennt das Dokument den Grenzwert nicht.",
        "In den Passagen wird Cadmium nicht erwähnt.",
        "Keine der Passagen erwähnt das Jahr.",
        "Ich weiß es nicht.",
        "Das weiß ich nicht.",
        "Ich kann diese Frage anhand der Texte nicht beantworten.",
        "Es gibt keine Angaben zu Cadmium.",
        "Die Antwort ist nicht in den Passagen enthalten.",
        "Das geht aus dem Text nicht hervor.",
    ],
    "es": [
        "Los pasajes no contienen la respuesta a esta pregunta.",
        "El contexto proporcionado no incluye información sobre el cadmio.",
        "Lo siento, pero los pasajes no mencionan eso.",
        "Lamentablemente, el documento no especifica un límite.",
        "Según el contexto, no puedo determinar el límite.",
        "En los pasajes no se menciona el año.",
        "Ninguno de los pasajes menciona el año.",
        "No lo sé.",
        "No sé la respuesta a esta pregunta.",
        "No hay información sobre el cadmio en los textos.",
        "La respuesta no se encuentra en el contexto.",
    ],
    "tl": [
        "Ang mga sipi ay hindi naglalaman ng sagot sa tanong na ito.",
        "Hindi naglalaman ang mga talata ng sagot.",
        "Paumanhin, ngunit hindi ito nabanggit sa mga talata.",
        "Batay sa ibinigay na konteksto, hindi ko matukoy ang hangganan.",
        "Wala sa mga sipi ang sagot.",
        "Walang impormasyon tungkol sa cadmium.",
        "Hindi ko alam.",
        "Hindi ko alam ang sagot sa tanong na ito.",
        "Hindi binanggit sa teksto.",
        "Ang sagot ay wala sa konteksto.",
    ],
}


@pytest.mark.parametrize(
    ("language", "text"), [(language, text) for language, texts in OTHER_LANGUAGES.items() for text in texts]
)
def test_abstentions_in_other_languages(language: str, text: str) -> None:
    assert language in LANGUAGES
    assert is_abstention(text)
    assert is_abstention(f"**{text.upper()}**")
    assert is_abstention(unicodedata.normalize("NFD", text)), "an accent may stand for itself"


@pytest.mark.parametrize(
    "text",
    [
        "Границата е 0,01 mg/kg.",
        "Не.",
        "Пасажите описват три вида буферни зони.",
        "Регламентът не съдържа изключение за вино.",
        "Земеделците не знаят точната дата.",
        "Не знам за друго изключение освен това за семената.",
        "Пасажите не споменават кадмий, но границата за тежки метали е 0,5 mg/kg.",
        "Няма граница.",
        "Die Grenze liegt bei 0,01 mg/kg.",
        "Nein.",
        "Die Verordnung enthält keine Ausnahme für Wein.",
        "Die Landwirte wissen das genaue Datum nicht.",
        "Der Text nennt nicht nur Cadmium.",
        "Die Passagen erwähnen Cadmium nicht, aber der Grenzwert für Schwermetalle beträgt 0,5 mg/kg.",
        "Es gibt keine Grenze.",
        "El límite es de 0,01 mg/kg.",
        "No.",
        "El reglamento no contiene una excepción para el vino.",
        "Los agricultores no conocen la fecha.",
        "No se permite el uso de cobre.",
        "Los pasajes no mencionan el cadmio, pero el límite de metales pesados es de 0,5 mg/kg.",
        "No hay límite.",
        "Ang hangganan ay 0.01 mg/kg.",
        "Hindi.",
        "Hindi pinapayagan ang tanso.",
        "Walang hangganan.",
        "Hindi binanggit sa teksto ang cadmium, ngunit ang hangganan ng mabibigat na metal ay 0.5 mg/kg.",
    ],
)
def test_answers_in_other_languages_are_no_abstentions(text: str) -> None:
    assert not is_abstention(text)
