import type { Words } from "..";

/** Kinds of problems, as the server names them. */
const KINDS: Record<string, string> = {
  "Too large": "Твърде голямо",
  "Not accepted": "Не се приема",
  "Not found": "Не е намерено",
  "Model not found": "Няма такъв модел",
  Conflict: "Противоречие",
  Unavailable: "Недостъпно",
  "Generation failed": "Генерирането не успя",
  Refused: "Отказано",
  Error: "Грешка",
  "No chain": "Няма блокчейн",
  "The server signs": "Сървърът подписва",
  "Nothing waits": "Нищо не чака",
  "Held by another account": "Държи го друг акаунт",
  "Signed already": "Вече е подписано",
  Expired: "Изтекло",
  "Given up": "Отказано от потребителя",
  "Rows of another account": "Редове на друг акаунт",
  "Foreign key": "Чужд ключ",
  "Signatures missing": "Липсват подписи",
  "Malformed signature": "Неправилен подпис",
  "Unknown transaction": "Непозната транзакция",
  "Kept, posted later": "Запазено, ще се изпрати по-късно",
};

export const errors: Words["errors"] = {
  offlineTitle: "Сървърът не отговаря",
  offline: "Сървърът не отговаря: проверете дали `passer serve` още работи и опитайте отново.",
  status: (status) => `Сървърът отговори със статус ${status} без обяснение; повече има в неговия дневник.`,
  kind: (title) => KINDS[title] ?? title,
  retry: "Нов опит",
  row: (row) => `Ред ${row}`,
  more: (count) => `и още ${count}`,
  crashTitle: "Тази страница не може да се покаже",
  crash:
    "Нещо в страницата се обърка; това, което сървърът пази, не е засегнато. Презаредете я, за да продължите.",
  reload: "Презареждане",
  missingTitle: "На този адрес няма нищо",
  missing: "Може да е изтрито или адресът да е непълен.",
  home: "Към сериите",
  close: "Затваряне",
};
