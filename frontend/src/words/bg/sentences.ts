import { nameOfField } from "../fields";
import { type Code, fill, type Numbers, type Wording } from "../sentences";
import { compare } from "./compare";
import { numbers as missing } from "./numbers";
import { sourceOf } from "./sources";

const COMPARED =
  "Никой праг не е по-добър от базата: от {n} конфигурации, сравнени с {baseline}, нито една няма";
const GAINS =
  "е със значима печалба в CPS, {gain:points} точки ({interval}d {d:d}, n {n}, коригирано p {p:p}).";
const SPLITS = "{model}: при {splits} деления на {n} въпроса на две половини {share:share} избират";
const RULE = "(значима печалба по Holm, .05, после най-високо T-CPS)";
const CONFIRMED =
  "печалбата, потвърдена върху другата половина, е {gain:points} точки (от {low:points} до {high:points}), а надценяването от избора – {optimism:points}; в CPS с константи от половините на този модел.";
const BEST = "{model}: най-добър праг {one} в {first} и {other} в {second};";
const PARTS = "{n} от {of} листа";
const LOG = "Вижте дневника на {server}:";
const AGAIN = "METEOR и ROUGE на";

/** The server's sentences by their codes. */
export const TEMPLATES: Record<Code, string> = {
  "pool.all": "всички изпълнения",
  "pool.model": "всички изпълнения на {model}",
  "pool.run": "само {run}",
  "pool.sheets": "всички {n} листа",
  "pool.given": "константите на {source:source}, {rows} {rows:ред|реда}",
  "pool.several": "{n} съвкупности",
  "pool.each-sheet": "всеки от {n} листа поотделно",

  "recommendation.no-baseline": "Няма база за сравнение.",
  "recommendation.no-baseline-best": "Няма база за сравнение; най-високо T-CPS има {name} ({tcps:score}).",
  "recommendation.none": `${COMPARED} значимо по-високо CPS (Holm, най-малкото коригирано p на печалба е {p:p}).`,
  "recommendation.none-untested": `${COMPARED} значимо по-високо CPS (Holm, няма печалба със стойност p).`,
  "recommendation.only": `{name}: от {of} конфигурации, сравнени с {baseline}, само тя ${GAINS}`,
  "recommendation.best": `{name}: от {of} конфигурации, сравнени с {baseline}, {better} имат значима печалба и тя е с най-високо T-CPS сред тях ({tcps:score}); ${GAINS}`,
  "recommendation.interval": "95 % ДИ от {low:points} до {high:points}, ",
  "recommendation.no-interval": "",
  "recommendation.of-model": "{model}: {reason}",

  "statement.cps":
    "CPS по панела {panel}, спрямо {pool}: {rows} {rows:ред|реда}, {metrics} метрики; сравнява се само в рамките на тази съвкупност.",
  "statement.cps-pinned":
    "CPS по панела {panel}, спрямо {pool}: {rows} {rows:ред|реда}, {metrics} метрики; сравнява се само при същите константи.",
  "statement.pinned":
    "Обхват given: минимумът и максимумът на всяка метрика са тези на {source:source} ({rows} {rows:ред|реда}), а не на тукашните редове, и CPS не се отрязва по тях. Деленията на две половини и чувствителността към тегла и нормализация използват константи от тукашните редове.",
  "statement.corrected":
    "Стойностите p са от t-тестове по двойки въпроси, коригирани за {n} {n:сравнение|сравнения}.",
  "statement.corrected-by-model":
    "Стойностите p са от t-тестове по двойки въпроси, коригирани за {n} {n:сравнение|сравнения} на модел.",

  "warning.no-wordnet":
    "METEOR не можа да се изчисли без WordNet: панелът е {panel} и стойностите му не се сравняват с тези на phase3.",
  "warning.no-question":
    "{name}: нито един въпрос не влиза в съставната оценка ({failed} {failed:неуспешен|неуспешни}).",
  "warning.unfinished":
    "{name}: {n} {n:въпрос още не е оценен|въпроса още не са оценени}; числата ѝ ще се променят.",
  "warning.repeated":
    "{name}: {n} {n:въпрос се среща|въпроса се срещат} повече от веднъж; оценките са осреднени.",
  "warning.cut": "{name}: {n} {n:отрязан промпт или отговор|отрязани промпта или отговора}.",
  "warning.worst":
    "{name}: {n} {n:ред се брои|реда се броят} като най-лошата стойност в съвкупността, защото отговорът няма оценка ({reasons}).",
  "warning.excluded": "{name}: {n} {n:въпрос е изключен|въпроса са изключени} ({reasons}).",
  "warning.reason": "{reason:reason}: {n}",
  "warning.other-constants": "Без сравнение с база, защото константите са различни: {names}.",
  "warning.no-one-baseline": "Без сравнение, защото нямат една обща база: {names}.",
  "warning.unpaired":
    "{name}: {n} въпроса са по двойки с {baseline}; изключени са {only_here}, които има само тя, и {only_baseline}, които има само базата.",
  "warning.identical":
    "{name}: всяка стойност на CPS е същата като на {baseline}, така че няма какво да се проверява.",
  "warning.scope-model":
    "Обхват model: всеки модел има собствени константи, затова CPS не се сравнява между моделите, а пермутационните тестове и деленията на две половини, които изискват една скала, са пропуснати.",
  "warning.scope-run":
    "Обхват run: всяко изпълнение има собствени константи, затова CPS не се сравнява между изпълненията, а пермутационните тестове и деленията на две половини, които изискват една скала, са пропуснати.",
  "warning.constant": "{metric} е еднаква навсякъде в „{pool}“: тя е неутрална и не различава нищо.",
  "warning.outside": "{metric} излиза извън константите в {n} {n:ред|реда}; стойностите не са отрязани.",
  "warning.otherwise":
    "При {decision} за {model} би била препоръчана друга конфигурация: {other} вместо {here}.",
  "warning.nothing-left": "При {decision} не би останало какво да се сравнява.",

  "decision.missing-worst": "липсващите оценки като най-лошите",
  "decision.missing-drop": "изключване на въпросите с липсващи оценки",
  "decision.truncated-keep": "запазване на отрязаните",
  "decision.truncated-exclude": "изключване на отрязаните",
  "decision.none": "никоя",

  "control.same": "контролирано: няма разлика",
  "control.studied": "контролирано: {n:разликата е|разликите са} само в {fields:field}",
  "control.confounded": "смесено с {fields:field}",
  "control.confounded-more": "смесено с {fields:field} и още {more}",

  "evidence.nothing": "Нищо не се сравнява, защото никой модел няма база.",
  "evidence.corrected":
    "Стойностите p са коригирани за {n} {n:сравнение|сравнения}; обръщания на знака: {draws}, най-малко възможно p {smallest:raw}.",
  "evidence.profile":
    "{model}: при {gains} от {tested} прага има значима печалба (max-T), при {losses} – загуба: откликът е {kind}.",
  "profile.broad": "широк",
  "profile.narrow": "тесен",
  "profile.mixed": "смесен",
  "profile.none": "никакъв",
  "evidence.splits-threshold": `${SPLITS} прага {threshold} ${RULE}; ${CONFIRMED}`,
  "evidence.splits-baseline": `${SPLITS} базата ${RULE}; ${CONFIRMED}`,
  "crossing.not-comparable": `${BEST} печалбите не са сравними: константите са различни.`,
  "crossing.untested": `${BEST} никой праг не можа да се провери и в двете (RQ3).`,
  "crossing.differs": `${BEST} печалбата се различава между областите при {at} (RQ3, max-T, от {n} {n:праг|прага}).`,
  "crossing.does-not-differ": `${BEST} не може да се покаже, че печалбата се различава при някой от {n} {n:праг|прага} (RQ3, max-T).`,
  "crossing.best": "{threshold} ({gain:points} точки)",
  "crossing.no-best": "няма",
  "crossing.same-order":
    "Моделите са подредени еднакво и в двете области, по T-CPS при най-добрите им прагове.",
  "crossing.other-order":
    "Моделите са подредени различно в двете области, по T-CPS при най-добрите им прагове: мястото си сменят {models}.",

  "caution.other-chunking":
    "Колекция {name} е нарязана на пасажи от {size} {unit} с припокриване {overlap}, а не както иска тази серия: посочете друга колекция или не задавайте нарязване.",
  "caution.other-embedding":
    "Колекция {name} е свързана с модела за вграждане {bound}, а не с {planned}: посочете друга колекция или не задавайте модел за вграждане.",
  "caution.overflow":
    "{policy} на {collection}: {over} от {prompts} промпта (най-дългият е около {most} токена) може да не се съберат в num_ctx заедно с отговора: увеличете num_ctx или запазвайте по-малко.",
  "caution.nothing-kept":
    "{policy} на {collection}: за нито един въпрос не се запазва пасаж: намалете прага или го махнете.",
  "caution.shorter-window":
    "{model} е създаден за {window} токена, по-малко от num_ctx {num_ctx}: каквото не се побира в по-малкото от двете, се отрязва.",
  "caution.too-long":
    "{k} пасажа по {size} {unit} са около {tokens} токена и не се побират в num_ctx {num_ctx}: промптовете на изпълненията Normal може да бъдат отрязани; увеличете num_ctx или намалете k.",
  "caution.judge-and-party":
    "{model} се оценява върху пасажи, които {embedder} сам е извлякъл: останалите четат избраното от съперник; отбележете го или използвайте за вграждане модел, който не се сравнява.",
  "caution.idle-axes": "Извличащият четец преписва изречения: {axes} не променя нищо за него.",
  "caution.one": "{one}",
  "caution.two": "{one} и {other}",
  "caution.three": "{one} и {other} и {third}",
  "caution.same-seed":
    "Всичките {repeats} повторения се питат със seed {seed:raw}: сървър, който го спазва, дава пак същия отговор; сравнете серии с различни seed, за да видите колко се менят отговорите.",
  "caution.no-baseline": "Няма база: нищо не се сравнява с нищо; задайте база или я посочете при анализа.",
  "caution.not-english":
    "Въпросите са на език „{language}“, а METEOR (WordNet, стемер), разделянето на изречения при перплексиите и вграденият енкодер са за английски: разчитайте на ROUGE, BLEU и F1, а за колоните на енкодера задайте в PASSER_ENCODER модел за този език.",
  "caution.cache-unknown": "Не може да се каже какво от {model} вече е в кеша: {reason}",
  "unit.characters": "знака",
  "unit.tokens": "токена",

  "procedure.published":
    "published: заглавията както стоят в листовете, CPS на ред, закръглено до 4 знака, редовете се сравняват по място, T-CPS и CV са върху всички редове, Balance е от отпечатаните числа; стойностите p не са коригирани.",
  "procedure.corrected":
    "corrected: истинските колони на ROUGE и BLEU, редовете на един въпрос са осреднени, сравнението е по въпроси, T-CPS и CV са върху сравнените въпроси; стойностите p не са коригирани.",
  "procedure.published-phase2":
    "published-phase2: 16 метрики, всеки лист е нормализиран поотделно, първите 100 реда, перплексиите не са обърнати, без база; конфигурации от различни листове нямат общи константи.",
  "sheets.cps":
    "CPS по панела {panel}, спрямо {pool}: {rows} {rows:ред|реда}; сравнява се само в рамките на съвкупността си.",
  "sheets.cps-pinned":
    "CPS по панела {panel}, спрямо {pool}: {rows} {rows:ред|реда}; сравнява се само при същите константи.",
  "sheets.lost":
    "{lost} {lost:ред няма|реда нямат} оценка, нужна на панела; заради това са изключени {out} от {of} реда.",
  "sheets.outside": "{metric} излиза извън константите в {n} {n:ред|реда}; стойностите не са отрязани.",

  "audit.shifted-labels": "Десет заглавия на ROUGE и BLEU стоят над други метрики в {n} от {of} листа.",
  "audit.mixed-labels":
    "Тези листове са с верни заглавия, а други – с разместени: `published` би смесила метрики.",
  "audit.published-score-mode":
    "Програмата, създала тези {n} листа, е сравнявала с прага разстоянието, а не сходството: нейният режим Score е запазвал далечните пасажи.",
  "audit.unclear-labels-rows":
    "Не може да се каже дали заглавията на {sheet} са разместени: {n} {n:ред противоречи|реда противоречат} на останалите.",
  "audit.unclear-labels":
    "Не може да се каже дали заглавията на {sheet} са разместени: колоните му за ROUGE-1 липсват или са еднакви.",
  "audit.same-contents": "Тези {n} листа са един и същ файл: {sheets}.",
  "audit.non-numeric-cells":
    "{sheet}: {n} {n:клетка с метрика не съдържа число|клетки с метрики не съдържат число}.",
  "audit.numbers-as-text": `${PARTS} съдържат метрики като текст ({count} {count:клетка|клетки}).`,
  "audit.footer": `${PARTS} завършват с ред \`Average\`, който е пропуснат ({count} {count:ред|реда}).`,
  "audit.blank-rows": `${PARTS} имат празни редове, които са пропуснати ({count} {count:ред|реда}).`,
  "audit.ignored-columns": `${PARTS} имат колони, които не са метрики и са пропуснати ({count} {count:колона|колони}).`,
  "audit.ignored-files":
    "{n} {n:файл не е прочетен, защото името му не посочва|файла не са прочетени, защото имената им не посочват} модел и праг.",
  "audit.duplicated-questions":
    "{sheet} съдържа {n} въпроса, {repeated} от тях повече от веднъж ({extra} {extra:ред|реда} в повече).",
  "audit.missing-questions": "В {sheet} липсват {n} от {of} въпроса на {source}.",
  "audit.unknown-questions":
    "{sheet} съдържа {n} {n:ред, чийто въпрос не е|реда, чиито въпроси не са} в {source}.",
  "audit.inexact-questions":
    "{n} {n:въпрос|въпроса} в {sheets} {sheets:лист|листа} не са изписани както в {source}; съвпадат по букви и цифри.",
  "audit.of-dataset": "набора {dataset}",
  "audit.of-other-sheets": "другите листове",
  "audit.no-baseline": "{model} няма база (праг 0.01 или `baseline`).",
  "audit.misaligned-rows":
    "{which}: {n} от {of} реда стоят срещу друг въпрос на базата, от ред {row} нататък.",
  "audit.sheets-of-model": "{n} листа на {model}",
  "audit.many-references": `${AGAIN} повечето редове на {n} {n:въпрос|въпроса} не се получават от еталоните на {dataset}: вероятно еталоните са били други.`,
  "audit.altered-answers": `${AGAIN} {n} {n:отделен ред|отделни реда} не се получават от {dataset}, макар че за другите редове на същите въпроси се получават: запазените им отговори вероятно са променени.`,
  "audit.suspected-reference": `${AGAIN} {n} от {of} реда не се получават от еталона в {dataset}, така че вероятно е бил друг: {question}`,

  "advice.shifted-labels":
    "Анализирайте с `corrected`, която чете истинските колони; `published` приема заглавията каквито са.",
  "advice.mixed-labels": "Анализирайте с `corrected` или внесете двата вида поотделно.",
  "advice.published-score-mode":
    "Четете праговете им така: режимът Score тук запазва близките пасажи; политиката `published-score` повтаря публикувания.",
  "advice.unclear-labels": "Сравнете с първоначалния файл и го поправете: `corrected` трябва да го знае.",
  "advice.same-contents": "Поставете верния файл на мястото на копието и внесете отново.",
  "advice.non-numeric-cells": "Впишете числото; докато липсва, въпросът не влиза в съставната оценка.",
  "advice.nothing": "Нищо: това не променя никой резултат.",
  "advice.ignored-files":
    "Преименувайте онези, които са от изследването, на MODEL/threshold_T.xlsx и внесете отново.",
  "advice.duplicated-questions":
    "`corrected` осреднява редовете на въпроса; `published` брои всеки: намерете файла, от който са направени.",
  "advice.missing-questions":
    "Задайте ги отново или четете всяко сравнение с този лист като сравнение върху по-малко въпроси.",
  "advice.unknown-questions":
    "Проверете дали това е зададеният набор; поправете текста, където е редактиран.",
  "advice.inexact-questions": "Нищо, освен ако някой от изброените не е друг въпрос.",
  "advice.no-baseline": "За него нищо не може да се сравни: добавете листа на базата и внесете отново.",
  "advice.misaligned-rows":
    "`corrected` прави двойки по въпроси; `published` – по място, и така сравнява различни въпроси.",
  "advice.many-references": "Проверете дали това е наборът, който е зададен.",
  "advice.altered-answers": "Сравнете тези отговори с първоначалния файл, преди да ги оценявате отново.",
  "advice.suspected-reference":
    "Сравнете еталона с използвания тогава; оценете отговорите отново, ако е бил друг.",
  "unchecked.no-dataset": "Въпросите и еталоните не са сравнени с набор: посочете набор при внасянето.",
  "unchecked.no-wordnet": "Еталоните не са сравнени: METEOR изисква WordNet, а той липсва.",
  "unchecked.no-row": "Еталоните не са сравнени: нито един ред с METEOR и ROUGE не е от {dataset}.",
  "unchecked.no-metrics":
    "Еталоните не са сравнени: публикуваните METEOR и ROUGE не могат да се изчислят тук.",

  "stop.by-person": "Спряна на пауза от човек: продължете я, за да върви нататък.",
  "stop.own-failure": "Самият PaSSER се повреди: вижте дневника, после продължете.",
  "stop.other-scorer":
    "Оценките на тази серия започнаха с {name} {before}, а биха продължили с {now}: върнете предишното и продължете, или започнете нова серия.",
  "server.away": "Пуснете сървъра за модели на {server}: той не приема връзки.",
  "server.overloaded": "Изчакайте или питайте {server} по-рядко: той е претоварен ({status:raw}: {said}).",
  "server.failed": `${LOG} той се повреди ({status:raw}: {said}).`,
  "server.context": "Запазвайте по-малко пасажи или увеличете num_ctx: {server} отговаря „{said}“.",
  "server.key": "Задайте валиден API ключ за {server}: този беше отказан ({status:raw}).",
  "server.refused": "Проверете модела и настройките: {server} отказа заявката ({status:raw}: {said}).",
  "server.silent":
    "Увеличете времето за изчакване или използвайте по-малък модел: {server} мълча твърде дълго.",
  "server.lost": `${LOG} връзката се прекъсна, преди отговорът да е пълен.`,
  "server.cut-short": `${LOG} отговорът свърши, преди да е пълен.`,
  "server.too-much": "Намалете num_predict: {server} изпрати повече, отколкото побира един отговор.",
  "server.too-slow":
    "Намалете num_predict или използвайте по-малък модел: {server} не завърши за {seconds:raw} s.",
  "server.unreadable":
    "Проверете дали {server} е сървърът за модели: отговорът му не може да се прочете ({kind}: {said}).",
  "server.model-failed": `${LOG} моделът се повреди, докато отговаряше ({said}).`,
  "server.no-model": "Изпълнете `ollama pull {model}` на {server}: там няма този модел.",
  "server.other-model":
    "Започнете ново изпълнение: {model} на {server} вече е друг модел ({now}), а не този, с който е започнато ({before}).",
  "problem.no-run": "Няма изпълнение „{run}“: списъкът на изпълненията показва какви има.",
  "problem.no-sweep": "Няма серия „{sweep}“: списъкът на сериите показва какви има.",
  "problem.no-dataset": "Няма набор „{name}“: добавете го на страницата с наборите.",
  "problem.no-collection": "Няма колекция {name}: първо внесете документи в нея.",
  "problem.no-import": "Няма внасяне „{id}“: списъкът на внесените листове показва какви има.",
  "problem.no-sheet": "В {name} няма лист „{path}“: изберете някой от изброените в одита.",
  "problem.no-row": "Лист {path} има редове от 0 до {last}: няма номер {number}.",
  "problem.no-question": "Изпълнение {run} има въпроси от 0 до {last}: няма номер {number}.",
  "problem.not-all-scored": "Някои от тези изпълнения още нямат оценен въпрос.",
  "problem.nothing-scored": "Още няма оценен въпрос: изчакайте първия или продължете изпълненията.",
  "problem.name-needed": "За изтриване е нужно името: потвърдете с „{name}“.",
  "problem.runs-differ":
    "Тези изпълнения се различават по {what} ({values}) и {why}: анализирайте ги поотделно.",
  "differ.pairing": "въпросите им не могат да се сдвоят",
  "differ.columns": "колоните им са дефинирани различно",
  "differ.texts": "оценени са различни текстове",
  "differ.scores": "оценките им зависят от това",
  "problem.same-study": "Това е едно и също изследване: посочете две различни.",
};

const FORMS = {
  source: sourceOf,
  field: (path: string) => nameOfField(path, compare.factors),
  reason: (code: string) => missing.reason(code).replace(/\.$/, ""),
};

/** A sentence by what it was made of; null where that is not known, or is newer than this page. */
export function sentence(_text: string, wording: Wording | undefined, numbers: Numbers): string | null {
  if (wording === undefined || !(wording.code in TEMPLATES)) return null;
  return fill(wording, { templates: TEMPLATES, forms: FORMS, numbers });
}
