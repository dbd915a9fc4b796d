"""Hand cases of abstentions, and of answers that look like one."""

from __future__ import annotations

import unicodedata

import pytest

from passer.domain.models.abstention import ABSTENTION, is_abstention
from passer.domain.models.abstention_phrases import phrases


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
        "I do not know the answer based on the provided passages.",
        "The text does not provide a direct answer to this question.",
        "Not enough information.",
        "Insufficient information to answer.",
        "The question cannot be answered from the given passages.",
        "It cannot be determined from the passages.",
        "This information is not available in the provided passages.",
        "It's not possible to answer the question based on the passages.",
        "Sorry, I don't have enough information to answer.",
        "Neither passage answers the question.",
        "Answer: I don't know",
        "Unknown.",
        "N/A",
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
        "Unknown species must be reported to the ministry.",
        "I cannot find fault with the rule: it allows 5 kg.",
        "It is not possible to sow wheat in July.",
        "It cannot be determined by eye: a soil test is needed.",
        "No data are collected in winter.",
        "No answer is needed within 30 days.",
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
        "Въз основа на предоставените откъси не може да се отговори на въпроса.",
        "В дадените пасажи не е посочен отговор.",
        "Не намирам отговор в пасажите.",
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
        "Dazu gibt es keine Informationen in den Textpassagen.",
        "Die Frage kann anhand des Kontexts nicht beantwortet werden.",
        "Die Passagen erwähnen Mais nicht.",
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
    "fr": [
        "Les passages ne contiennent pas la réponse à cette question.",
        "Désolé, mais les documents fournis ne mentionnent pas cela.",
        "Selon le contexte, il est impossible de répondre.",
        "Je ne sais pas.",
        "Il n'y a pas d'information sur le cadmium dans les passages.",
        "La réponse n'est pas dans le texte.",
        "Le texte ne fournit aucune information sur ce point.",
    ],
    "it": [
        "I passaggi non contengono la risposta a questa domanda.",
        "Mi dispiace, ma il testo non menziona l'anno.",
        "Non lo so.",
        "Non è possibile rispondere alla domanda.",
        "Non ci sono informazioni sul cadmio.",
    ],
    "pt": [
        "Os trechos não contêm a resposta a esta pergunta.",
        "Infelizmente, o texto não menciona o ano.",
        "Não sei.",
        "Não é possível responder à pergunta.",
        "Não há informações sobre o cádmio.",
    ],
    "ru": [
        "Отрывки не содержат ответа на этот вопрос.",
        "К сожалению, в тексте нет информации о кадмии.",
        "Я не знаю.",
        "В предоставленных фрагментах не указан год.",
        "Не могу ответить на этот вопрос.",
    ],
    "el": [
        "Τα αποσπάσματα δεν περιέχουν την απάντηση σε αυτή την ερώτηση.",
        "Λυπάμαι, αλλά το κείμενο δεν αναφέρει το έτος.",
        "Δεν γνωρίζω.",
        "Δεν υπάρχουν πληροφορίες για το κάδμιο.",
    ],
    "zh": [
        "段落中没有包含这个问题的答案。",
        "抱歉，文中未提及年份。",
        "我不知道。",
        "根据提供的资料，无法回答该问题。",
        "提供的文檔沒有提到鎘。",
    ],
    "ja": [
        "提供された文章にはこの質問の答えが含まれていません。",
        "申し訳ありませんが、わかりません。",
        "資料には年の記載がありません。",
    ],
    "uk": [
        "Уривки не містять відповіді на це питання.",
        "Я не знаю.",
        "На жаль, у тексті немає інформації про кадмій.",
    ],
    "pl": ["Fragmenty nie zawierają odpowiedzi na to pytanie.", "Nie wiem.", "Niestety, tekst nie wspomina o roku."],
    "ar": ["لا تحتوي المقاطع على إجابة لهذا السؤال.", "لا أعرف.", "عذرا، النص لا يذكر السنة."],
    "ko": ["제공된 문서에는 이 질문에 대한 답이 없습니다.", "죄송합니다. 모르겠습니다."],
    "tr": ["Verilen metinlerde bu sorunun cevabı yok.", "Bilmiyorum.", "Maalesef metinde yıl belirtilmemiş."],
}


@pytest.mark.parametrize(
    ("language", "text"), [(language, text) for language, texts in OTHER_LANGUAGES.items() for text in texts]
)
def test_abstentions_in_other_languages(language: str, text: str) -> None:
    assert language in phrases()
    assert is_abstention(text)
    # Capitals of the dotless i of Turkish are those of another letter.
    assert language == "tr" or is_abstention(f"**{text.upper()}**")
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
        "Le texte ne dit pas tout, mais la limite est de 0,5 mg/kg.",
        "Les passages ne mentionnent pas le cadmium, mais la limite des métaux lourds est de 0,5 mg/kg.",
        "Il n'y a pas de limite.",
        "Non.",
        "Non è consentito l'uso del rame.",
        "Il regolamento non contiene deroghe per il vino.",
        "Não.",
        "Não há limite.",
        "Нет ограничений.",
        "В тексте нет ответа о кадмии, однако предел тяжёлых металлов равен 0,5 мг/кг.",
        "Регламент не содержит исключений для вина.",
        "Δεν επιτρέπεται ο χαλκός.",
        "不允许使用铜。",
        "没有限制。",
        "文中未提及镉，但重金属的限量为0.5毫克。",
        "不知道" + "土壤需要检测以后才能决定施肥量的问题" * 10,
        "銅の使用は認められていません。",
        "資料には銅は含まれない。",
        "Brak ograniczeń.",
        "Немає обмежень.",
        "لا يسمح باستخدام النحاس.",
        "لا يوجد حد.",
        "구리 사용은 허용되지 않습니다.",
        "Bakır kullanılamaz.",
        "Hindi binanggit sa teksto ang cadmium, ngunit ang hangganan ng mabibigat na metal ay 0.5 mg/kg.",
    ],
)
def test_answers_in_other_languages_are_no_abstentions(text: str) -> None:
    assert not is_abstention(text)
