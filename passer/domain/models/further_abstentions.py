"""Usual abstentions in languages of which only the most frequent forms are known."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from passer.domain.models.abstention_phrases import Phrases

_END = r"(?:$|[.,;:!\u3002\uff0c\uff01\u0964])"


def _french() -> Phrases:
    source = (
        r"(?:les |le |la |l'|ces |ce |cet |cette )?(?:passages?|documents?|textes?|contexte|extraits?|sources?)"
        r"(?: (?:fourni|donné|ci-dessus|récupéré|proposé)\w*)*"
    )
    thing = (
        r"(?:de |d'|la |l'|les |cette |ces |assez |suffisamment |\w+ment )*"
        r"(?:réponse|information|détail|donnée|précision)s?\b"
    )
    return Phrases(
        apology=r"(?:(?:je suis |je )?désolée?|malheureusement|(?:je )?regrette)[,:.]? (?:mais )?",
        according=rf"(?:d'après|selon|à partir de|sur la base de|dans) {source}",
        forms=(
            rf"{source} ne \w+ (?:pas |aucune? ){thing}",
            rf"{source} ne (?:mentionn|précis|indiqu|répond|abord|di[st]|défini|spécifi)\w* (?:pas|rien|aucune?)\b",
            rf"aucun (?:des |de ces )?{source} ne \w+",
            rf"je (?:ne |n')?(?:le )?(?:sais pas|connais pas la réponse|l'ignore)(?: la réponse)?{_END}",
            r"je ne (?:peux|suis|parviens|trouve)(?: pas)?(?: en mesure)?(?: de| à)? (?:répondre|trouver|déterminer)\b",
            rf"(?:il n'y a|il n'existe|on ne trouve|je ne trouve) (?:pas |aucune? ){thing}",
            rf"(?:la réponse|(?:l'|cette )information|cela|ceci) n'\w+ pas (?:\w+ )?dans {source}",
            r"il (?:n'est pas|est im)possible de (?:répondre|déterminer)\b",
        ),
        contrast=r"\b(?:mais|cependant|toutefois|néanmoins|pourtant|en revanche)\b",
        then=r"par conséquent|donc|ainsi|c'est pourquoi|de ce fait|en conséquence|de plus",
        about=(
            r"passage|document|texte|extrait|source|information|donnée|réponse|répond|question|mentionn|indiqu|précis|"
            r"spécifi|fourni|rien|sujet|manqu"
        ),
        remarks=(
            r"(?:ils|elles|il|elle|ceux-ci|celui-ci|cela) (?:ne |se |s')?(?:parl|décri|trait|concern|port|discut|abord|"
            r"évoqu|couvr|concentr|limit)",
            r"je (?:ne |n'|(?:vous )?(?:recommande|suggère|conseille|invite)|aurais besoin|peux (?:les|vous))",
            r"(?:veuillez|merci|désolé|s'il vous plaît|n'hésitez pas|pour (?:plus|obtenir))\b",
            r"si (?:vous (?:avez|souhaitez|voulez|pouvez|disposez|désirez|me)|d'autres)\b",
            r"il (?:faudrait|serait nécessaire|faut (?:plus|davantage|consulter|d'autres))\b",
            r"vous (?:pouvez|pourriez|devriez) (?:consult|vérifi|vous|me|essay|cherch|demand)",
        ),
    )


def _italian() -> Phrases:
    source = (
        r"(?:i |il |lo |gli |la |le |questi |nei |nel |nelle )?"
        r"(?:passaggi?o?|brani?o?|test[oi]|contesto|document[oi]|font[ei]|estratt[oi])(?: (?:fornit|dat|precedent)\w*)*"
    )
    thing = (
        r"(?:la |una |alcuna |le |questa |queste |tal[ei] |abbastanza |sufficienti? )*"
        r"(?:risposta|informazion[ei]|dettagli|dati)\b"
    )
    return Phrases(
        apology=r"(?:mi dispiace|spiacente|purtroppo|scusa)[,:.]? (?:ma )?",
        according=rf"(?:in base a|secondo|sulla base di|da) {source}",
        forms=(
            rf"{source} non (?:conten|contien|forni|inclu|offr|dann|dà|riport)\w* {thing}",
            rf"{source} non (?:menzion|specific|indic|dic|rispond|tratt|precis)\w*",
            rf"(?:io )?non (?:lo )?(?:so|conosco la risposta){_END}",
            r"non (?:posso|riesco a|sono in grado di|è possibile) (?:rispondere|trovare|determinare)\b",
            rf"non (?:ci sono|c'è|ho|trovo) {thing}",
            rf"(?:la risposta|(?:l'|questa )informazione) non (?:è|si \w+|compare)(?: \w+)? {source}",
        ),
        contrast=r"\b(?:ma|però|tuttavia|invece)\b(?! non\b)",
    )


def _portuguese() -> Phrases:
    source = (
        r"(?:os |o |a |as |este |estes |nos |no )?(?:trechos?|textos?|passagens?|passagem|contexto|documentos?|fontes?)"
        r"(?: (?:fornecid|dad|acima|apresentad)\w*)*"
    )
    thing = r"(?:a |uma |nenhuma |as |es[st]as? |tais |tal |suficientes? )*(?:resposta|informaç\w+|detalhes?|dados)\b"
    return Phrases(
        apology=r"(?:desculpe|lamento|infelizmente|sinto muito)[,:.]? (?:mas )?",
        according=rf"(?:com base em|segundo|de acordo com|a partir de|com base) {source}",
        forms=(
            rf"{source} não (?:cont|fornec|inclu|oferec|apresent|traz|dão|dá)\w* {thing}",
            rf"{source} não (?:mencion|especific|indic|diz|respond|abord|refere)\w*",
            rf"(?:eu )?não (?:sei|conheço)(?: a resposta)?{_END}",
            r"não (?:posso|consigo|sou capaz de|é possível|foi possível) (?:responder|encontrar|determinar)\b",
            rf"não (?:há|existe|existem|tenho|encontrei) {thing}",
            rf"(?:a resposta|(?:a|essa|esta) informação) não (?:está|se \w+|consta|aparece)(?: \w+)? {source}",
        ),
        contrast=r"\b(?:mas|porém|contudo|todavia|entretanto|no entanto)\b(?! não\b)",
    )


def _russian() -> Phrases:
    source = (
        r"(?:предоставленн\w+ |данн\w+ |привед[её]нн\w+ |указанн\w+ |эт\w+ )?"
        r"(?:отрыв|фрагмент|пассаж|текст|контекст|документ|источник)\w*"
    )
    thing = r"(?:достаточн\w+ |конкретн\w+ |прям\w+ |точн\w+ |эт\w+ |так\w+ )*(?:ответ|информаци|данн|сведени)\w*"
    return Phrases(
        apology=r"(?:извините|простите|к сожалению|сожалею)[,:.]? (?:но )?",
        according=rf"(?:на основ\w+|согласно|исходя из|судя по|по|из) {source}",
        forms=(
            rf"{source} не (?:содерж|предостав|да[её]т|дают|включа)\w* {thing}",
            rf"{source} не (?:упомина|указыва|уточня|отвеча|говор|сообща)\w*",
            rf"(?:я )?не знаю(?: ответа?(?: на (?:этот|данный) вопрос)?)?{_END}",
            r"(?:я )?не (?:могу|смог\w*|удалось) (?:ответить|найти|определить)\b",
            rf"(?:в|во) {source} (?:нет {thing}|не (?:упомина|указ|содерж|сказан|говор)\w*|отсутству\w+ {thing})",
            rf"(?:нет|недостаточно) {thing}",
            rf"(?:ответ|информация)\w* (?:не \w+|отсутствует) в {source}",
            rf"не (?:указан|упомянут|сказан)\w* в {source}",
        ),
        contrast=r"\b(?:но|однако|тем не менее|зато)\b(?! (?:не|нет)\b)",
    )


def _greek() -> Phrases:
    # Case-folding writes a final sigma as any other.
    source = (
        r"(?:τα |το |οι |η |στα |στο |των |του )?(?:παρεχόμενα |δοθέντα |παραπάνω )?"
        r"(?:αποσπάσμα\w+|απόσπασμα\w*|κείμεν\w+|έγγραφ\w+|πλαίσι\w+|πηγ\w+)"
    )
    thing = r"(?:την |τισ |αυτή |αυτέσ |καμία |αρκετέσ |επαρκείσ )*(?:απάντηση|πληροφορίεσ|πληροφορία|στοιχεία)"
    return Phrases(
        apology=r"(?:λυπάμαι|συγγνώμη|δυστυχώς)[,:.]? (?:αλλά )?",
        according=rf"(?:με βάση|σύμφωνα με|από) {source}",
        forms=(
            rf"{source} δεν (?:περιέχ|παρέχ|περιλαμβάν|δίν)\w+ {thing}",
            rf"{source} δεν (?:αναφέρ|διευκρινίζ|απαντ|προσδιορίζ)\w+",
            rf"δεν (?:ξέρω|γνωρίζω)(?: την απάντηση)?{_END}",
            r"δεν (?:μπορώ|είναι δυνατόν?) να (?:απαντ|βρ|προσδιορ|απαντηθ)\w+",
            rf"δεν (?:υπάρχ\w+|έχω|βρήκα) {thing}",
            rf"(?:η απάντηση|αυτό) δεν \w+ {source}",
        ),
        contrast=r"\b(?:αλλά|όμως|ωστόσο|εντούτοις)\b(?! δεν\b)",
    )


def _chinese() -> Phrases:
    source = (
        r"(?:所?提供的|[给給]定的|上述|以上|[这這]些|[该該])*"
        r"(?:段落|文本|[资資]料|文[档檔件]|文章|上下文|材料|[内內]容|文中|片段|信息|資訊)(?:中|里|裡|[内內])?"
    )
    no = r"(?:[并並]?(?:[没沒]有|未|不|[无無]))"
    return Phrases(
        apology=r"(?:很?抱歉|[对對]不起|很?[遗遺]憾|不好意思)[,，。:：]? ?(?:但是?)?",
        according=rf"(?:根[据據]|[从從]|基[于於]|在){source}[,，]?",
        forms=(
            rf"{source}{no}[^,，。]{{0,6}}(?:包含|包括|提及|提到|提供|[说說]明|[给給]出|涉及|回答|[答解]案|相[关關]信息)",
            r"(?:我[们們]?)?(?:不知道|不清楚|[无無]法(?:回答|[确確]定|得知|找到)|不能(?:回答|[确確]定))",
            r"[没沒]有(?:足[够夠]的?|相[关關]的?|有[关關]的?)?(?:信息|資訊|答案|[资資]料)",
            r"未(?:提及|提到|[说說]明|提供)",
        ),
        contrast=r"但是?(?![没沒未不])|不[过過]|然而|可是",
    )


def _japanese() -> Phrases:
    source = r"(?:提供された|与えられた|上記の|この)?(?:文章|文書|テキスト|資料|パッセージ|コンテキスト|文脈|本文|情報)"
    return Phrases(
        apology=r"(?:申し訳(?:ありません|ございません)|すみません|残念ながら)(?:が)?[、。,]? ?",
        according=rf"{source}(?:に基づくと|によると|から)[、,]?",
        forms=(
            rf"{source}(?:の中)?(?:に|では|から)は?[^。]{{0,30}}(?:答え|回答|情報|記載|言及|記述)[^。]{{0,10}}(?:ません|ない)",
            r"[^。]{0,12}(?:わかりません|分かりません|わからない|答えられません|回答できません|不明です)",
        ),
        contrast=r"ただし|しかし|一方",
    )


def _ukrainian() -> Phrases:
    source = r"(?:надан\w+ |наведен\w+ |ц\w+ )?(?:уривк|урив|фрагмент|текст|контекст|документ|джерел)\w*"
    thing = r"(?:достатньо |конкретн\w+ |точн\w+ |ц\w+ |так\w+ )*(?:відповід|інформаці|даних|відомост)\w*"
    return Phrases(
        apology=r"(?:вибачте|перепрошую|на жаль)[,:.]? (?:але )?",
        according=rf"(?:на основі|згідно з|відповідно до|з) {source}",
        forms=(
            rf"{source} не (?:міст|нада|дає|дають|включа)\w* {thing}",
            rf"{source} не (?:згаду|вказу|зазнача|уточню|відповіда)\w*",
            rf"(?:я )?не знаю(?: відповіді(?: на це питання)?)?{_END}",
            r"(?:я )?не (?:можу|зміг|змогла|вдалося) (?:відповісти|знайти|визначити)\b",
            rf"(?:(?:в|у) {source} )?(?:немає|нема|недостатньо|відсутн\w+) {thing}",
            rf"(?:в|у) {source} не (?:згад|вказ|міст|зазнач)\w*",
        ),
        contrast=r"\b(?:але|однак|проте|втім)\b(?! (?:не|немає)\b)",
    )


def _polish() -> Phrases:
    source = r"(?:podan\w+ |dostarczon\w+ |t\w+ )?(?:fragment|tekst|kontek[sś][tc]|dokument|źród[łe]|akapit)\w*"
    thing = r"(?:wystarczając\w+ |konkretn\w+ |żadn\w+ |t\w+ |taki\w+ )*(?:odpowied|informacj|dany|szczegół)\w*"
    return Phrases(
        apology=r"(?:przepraszam|niestety|przykro mi)[,:.]? (?:ale )?",
        according=rf"(?:na podstawie|według|zgodnie z|z) {source}",
        forms=(
            rf"{source} nie (?:zawiera|poda|dostarcza|oferuj)\w* {thing}",
            rf"{source} nie (?:wspomina|określa|wskazu|mówi|odpowiada|precyzuj)\w*",
            rf"(?:ja )?nie (?:wiem|znam odpowiedzi){_END}",
            r"nie (?:mogę|potrafię|jestem w stanie|można|da się) (?:odpowiedzieć|znaleźć|określić|ustalić)\b",
            rf"(?:w {source} )?(?:nie ma|brak|brakuje) {thing}",
        ),
        contrast=r"\b(?:ale|jednak|jednakże|natomiast)\b(?! nie\b)",
    )


def _turkish() -> Phrases:
    source = r"(?:verilen |sağlanan |sunulan |bu )?(?:metin|pasaj|bağlam|belge|kaynak|parça)\w*"
    return Phrases(
        apology=r"(?:üzgünüm|maalesef|ne yazık ki|özür dilerim)[,:.]? (?:ama |ancak )?",
        according=rf"{source}(?: göre| dayanarak)",
        forms=(
            rf"{source}[^.,;]{{0,40}} (?:ceva[bp]|yanıt|bilgi)\w* (?:yok\w*|bulunm\w+|içerm\w+|verm\w+|yer almıyor)",
            rf"{source}[^.,;]{{0,40}} (?:belirtilm|bahsedilm|bahsetm|belirtm)\w+",
            rf"(?:ben )?(?:cevabı |yanıtı )?(?:bilmiyorum|bilemiyorum){_END}",
            r"(?:bu |soruyu |soruya )*(?:cevaplayamıyorum|yanıtlayamıyorum|cevap veremiyorum|yanıt veremiyorum)",
            r"(?:yeterli )?bilgi (?:yok|bulunmamaktadır|bulunmuyor)",
        ),
        contrast=r"\b(?:ama|ancak|fakat|yine de)\b",
    )


def _arabic() -> Phrases:
    source = r"(?:هذه |هذا )?(?:ال)?(?:مقاطع|مقطع|نصوص|نص|فقرات|سياق|وثائق|وثيقة|مستندات|مصادر)(?: ال\w+)?"
    thing = r"(?:على )?(?:أي |هذه |هذا |تلك )?(?:ال)?(?:إجابة|إجابات|معلومات|جواب|تفاصيل)\w*"
    return Phrases(
        apology=r"(?:عذرا|عذرًا|آسف|أعتذر|للأسف)[،,:.]? (?:لكن )?",
        according=rf"(?:بناء على|بناءً على|وفقا ل|وفقًا ل|حسب|في) ?{source}",
        forms=(
            rf"(?:لا|لم) (?:تحتوي|يحتوي|تتضمن|يتضمن|تقدم|يقدم|توفر|يوفر) {source} {thing}",
            rf"(?:لا|لم) (?:تذكر|يذكر|تحدد|يحدد|تشير|يشير) {source}",
            rf"{source} (?:لا|لم) (?:تحتوي|يحتوي|تتضمن|يتضمن|تقدم|يقدم|توفر|يوفر) {thing}",
            rf"{source} (?:لا|لم) (?:تذكر|يذكر|تحدد|يحدد|تشير|يشير)\b",
            rf"(?:أنا )?لا (?:أعرف|أعلم|أدري)(?: الإجابة| الجواب)?{_END}",
            r"لا (?:أستطيع|يمكنني|يمكن) (?:الإجابة|تحديد|العثور)",
            rf"لا (?:توجد|يوجد) {thing}",
        ),
        contrast=r"(?:^|[ ،,])(?:و?لكن|غير أن|إلا أن)\b",
    )


def _korean() -> Phrases:
    source = r"(?:제공된 |주어진 |위 )?(?:문서|지문|본문|문맥|텍스트|자료|구절|단락|글)"
    return Phrases(
        apology=r"(?:죄송합니다(?:만)?|죄송하지만|유감스럽게도|안타깝게도)[,.]? ?",
        according=rf"{source}(?:에 따르면|을 바탕으로|를 바탕으로|만으로는)",
        forms=(
            rf"{source}(?:에는|에서는|에|에서|은|는)[^.]{{0,40}}(?:답|정보|언급|내용)[^.]{{0,20}}(?:없|않)",
            r"[^.]{0,20}(?:모르겠습니다|알 수 없습니다|답할 수 없습니다|답변할 수 없습니다|모릅니다)",
        ),
        contrast=r"하지만|그러나|다만",
    )


FURTHER: Mapping[str, Phrases] = MappingProxyType(
    {
        "fr": _french(),
        "it": _italian(),
        "pt": _portuguese(),
        "ru": _russian(),
        "el": _greek(),
        "zh": _chinese(),
        "ja": _japanese(),
        "uk": _ukrainian(),
        "pl": _polish(),
        "tr": _turkish(),
        "ar": _arabic(),
        "ko": _korean(),
    }
)
"""Phrases by language, in the order in which they are tried."""
