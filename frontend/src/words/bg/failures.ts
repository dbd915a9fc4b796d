import type { Words } from "..";

export const failures: Words["failures"] = {
  title: (count) => (count === "1" ? "1 неуспешен въпрос" : `${count} неуспешни въпроса`),
  recent: "Последните, от най-новия",
  retry: (count) => `Повтаряне на ${count} неуспешни`,
  all: (count) => (count === "1" ? "Неуспешният въпрос" : `Всичките ${count} неуспешни въпроса`),
  allOf: (count, run) => `${count} на ${run}`,
  more: (count) => `и на още ${count} конфигурации, в таблицата долу`,
};
