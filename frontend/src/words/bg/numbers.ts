import type { Words } from "..";

const REASONS: Record<string, string> = {
  empty_answer: "Моделът даде празен отговор.",
  empty_reference: "Въпросът няма еталонен отговор.",
  no_tokens: "Един от текстовете няма дума, която тази метрика брои.",
  constant_vector: "Един от векторите е постоянен, затова корелация не е определена.",
  too_long: "Един от текстовете е по-дълъг, отколкото метриката приема.",
  not_finite: "Стойността не е крайно число.",
  encoder_unavailable: "Енкодерът липсваше.",
  wordnet_unavailable: "WordNet не е инсталиран.",
  not_requested: "Тази метрика не е поискана.",
  another_configuration: "Друга конфигурация няма стойност за нея.",
  generation_failed: "Не беше получен отговор.",
  identical: "Всички разлики от базата са точно 0 и няма какво да се проверява.",
  no_spread: "Всички разлики от базата са еднакви и няма разсейване, спрямо което да се проверява.",
  baseline: "Това е базата: останалите се сравняват с нея.",
  no_baseline: "Няма база за сравнение.",
  no_gold_passages: "Въпросите не посочват златни пасажи.",
  gold_passages_absent: "В колекцията няма нито един от златните пасажи, които въпросите посочват.",
  no_questions: "Още не е потърсен нито един въпрос.",
  no_rows: "Нито един въпрос не можа да бъде използван.",
  no_cv: "Вариацията не може да се изчисли: въпросите са твърде малко или средната стойност не е над 0.",
  constant_cps: "CPS не се променя в тази съвкупност.",
  too_few: "Въпросите са твърде малко за това.",
};

const NOTES: Record<string, string> = {
  answer_cut_off: "Зад дългия еталон енкодерът не видя нищо от отговора.",
};

export const numbers: Words["numbers"] = {
  note: (note) => NOTES[note] ?? note,
  range: (low, high) => `${low} до ${high}`,
  none: (reason) => `няма стойност: ${reason}`,
  reason: (reason) => {
    if (!reason) return "Няма стойност.";
    return REASONS[reason] ?? reason;
  },
};
