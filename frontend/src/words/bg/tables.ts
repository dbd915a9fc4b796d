import type { Words } from "..";

export const tables: Words["tables"] = {
  find: "Търсене",
  columns: "Колони",
  columnsName: "Избор на колоните",
  dense: "Сгъстени редове",
  copy: "Копиране като CSV",
  copied: "Копирано",
  copiedText: (rows) => `В клипборда има ${rows} реда.`,
  copyFailed: "Браузърът не позволява копиране тук.",
  sortUp: (column) => `Подреждане по ${column}, отначало най-малките`,
  sortDown: (column) => `Подреждане по ${column}, отначало най-големите`,
  sortNot: "Отново в собствения им ред",
  select: (name) => `Избор на ${name}`,
  selectAll: "Избор на всички показани редове",
  selected: (count) => (count === "1" ? "Избран е 1" : `Избрани са ${count}`),
  clear: "Отказ от избора",
  nothing: "Нищо тук не отговаря на търсеното.",
  shown: (some, all) => {
    if (some !== all) return `${some} от ${all} реда`;
    return all === "1" ? "1 ред" : `${all} реда`;
  },
  range: (first, last, total) => `${first}–${last} от ${total}`,
  previous: "Предишна страница",
  next: "Следваща страница",
  beyond: "Списъкът свършва преди тази страница.",
  last: "Последна страница",
};
