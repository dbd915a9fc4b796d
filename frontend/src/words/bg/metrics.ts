import type { Words } from "..";

export const metrics: Words["metrics"] = {
  title: "Метрики",
  lead: "Всяка метрика на изпълнение, в реда, в който ги съдържат всички таблици.",
  profile: "Дефиниции",
  profiles: { standard: "Стандартни", published: "Публикувани" },
  profileHint: {
    standard: "Стандартни: дефинициите от статиите, посочени по-долу.",
    published: "Публикувани: дефинициите на публикувания PaSSER, за продължаване на неговите резултати.",
  },
  range: "Обхват",
  interval: (low, high) => `${low} до ${high}`,
  unbounded: "неограничено",
  direction: "Посока",
  higher: "по-голямото е по-добро",
  lower: "по-малкото е по-добро",
  needs: "Изисква",
  needsNothing: "нищо друго",
  formula: "Формула",
  citation: "Източник",
  notes: "Бележки",
  contents: "Към метрика",
};
