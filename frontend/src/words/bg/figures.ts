import type { Words } from "..";
import { sourceOf } from "./sources";

/** The server's titles, labels, units and notes, by what it calls them. */
const TERMS: Record<string, string> = {
  "published (encoder substituted)": "published (със заместен енкодер)",
  "CPS by similarity threshold": "CPS по праг на сходство",
  "CPS by passages kept (k)": "CPS по брой запазени пасажи (k)",
  "CPS by configuration": "CPS по конфигурация",
  "Gain in CPS over the baseline": "Печалба в CPS спрямо базата",
  "Gain in T-CPS over the baseline": "Печалба в T-CPS спрямо базата",
  "Where the gain in CPS is significant": "Къде печалбата в CPS е значима",
  "T-CPS against CPS": "T-CPS спрямо CPS",
  "Questions without any passage": "Въпроси без нито един пасаж",
  "Passages kept per question": "Запазени пасажи на въпрос",
  "Time of an answer beside its quality": "Време за отговор до качеството му",
  "Tokens of an answer beside its quality": "Токени на отговор до качеството му",
  "Similarity threshold": "Праг на сходство",
  "Passages kept (k)": "Запазени пасажи (k)",
  Configuration: "Конфигурация",
  "Gain in CPS": "Печалба в CPS",
  "Gain in T-CPS": "Печалба в T-CPS",
  "Size of the difference in each metric": "Размер на разликата при всяка метрика",
  "Cohen's d": "d на Cohen",
  "Above zero the run is better than its baseline: of perplexities, where less is better, the sign is turned.":
    "Над нулата изпълнението е по-добро от базата си: при перплексиите, където по-малкото е по-добро, знакът е обърнат.",
  Gain: "Печалба",
  Model: "Модел",
  Metric: "Метрика",
  "Other metric": "Друга метрика",
  "Spearman's rho": "ρ на Spearman",
  "Questions without a passage": "Въпроси без пасаж",
  "Mean passages kept": "Среден брой запазени пасажи",
  "Median generation time": "Медиана на времето за отговор",
  "Mean tokens": "Среден брой токени",
  "CI low": "ДИ, долна граница",
  "CI high": "ДИ, горна граница",
  Significance: "Значимост",
  points: "точки",
  "% of the baseline": "% от базата",
  s: "s",
  "all models": "всички модели",
  "all runs": "всички изпълнения",
  "Bands: 95 % confidence interval of the mean.": "Ивици: 95 % доверителен интервал на средното.",
  "Level lines: the baseline of each model.": "Хоризонтални линии: базата на всеки модел.",
  "Some means are over fewer questions than their baseline's: read the gains, which are paired.":
    "Някои средни са върху по-малко въпроси от базата си: четете печалбите, които са по двойки.",
  "Significance is that of the gain in CPS: T-CPS has no test of its own.":
    "Значимостта е на печалбата в CPS: T-CPS няма собствен тест.",
  "Colour: significant gain, significant loss, not significant.":
    "Цвят: значимо подобрение, значимо влошаване, незначимо.",
  "Above the diagonal the reward for stability outweighs the penalty for spread.":
    "Над диагонала наградата за устойчивост надделява над наказанието за разсейване.",
  "Measured where and when each answer was generated; times of different machines are not compared here.":
    "Измерено там и тогава, където и когато е получен всеки отговор; времена на различни машини не се сравняват тук.",
  "A point is .01 of CPS; the percentage moves with the pool.":
    "Една точка е .01 от CPS; процентът се мени със съвкупността.",
  "A question that keeps no passage is answered without the documents, or not at all.":
    "Въпрос, за който не е запазен пасаж, получава отговор без документите или никакъв.",
  "As the model server counts them.": "Както ги брои сървърът за модели.",
  "Stars: paired t-test by position, uncorrected, as published.":
    "Звездички: t-тест по двойки според мястото, некоригиран, както е публикуван.",
};

const spaced = (count: string | undefined) => count?.replaceAll(",", "\u202f");

/** Terms with something of the study in them. */
const PATTERNS: [RegExp, (...parts: string[]) => string][] = [
  [/^all runs of (.+)$/, (model) => `всички изпълнения на ${model}`],
  [/^all (\d+) sheets$/, (count) => `всички ${count} листа`],
  [/^(\d+) sheets, each by itself$/, (count) => `${count} листа, всеки поотделно`],
  [/^(\d+) pools$/, (count) => `${count} съвкупности`],
  [
    /^constants of (.+), ([\d,]+) rows$/,
    (source, rows) => `константите на ${sourceOf(source ?? "")}, ${spaced(rows)} реда`,
  ],
  [/^(.+) alone$/, (run) => `само ${run}`],
  [/^(.+), prompt$/, (model) => `${model}, промпт`],
  [/^(.+), answer$/, (model) => `${model}, отговор`],
  [
    /^CPS by the panel (.+), procedure ([^,]+), relative to (.+): ([\d,]+) rows\.$/,
    (panel, procedure, pool, rows) =>
      `CPS по панела ${panel}, процедура ${procedure}, спрямо ${termOf(pool ?? "")}: ${spaced(rows)} реда.`,
  ],
  [
    /^CPS by the panel (.+), relative to (.+): ([\d,]+) rows\.$/,
    (panel, pool, rows) => `CPS по панела ${panel}, спрямо ${termOf(pool ?? "")}: ${spaced(rows)} реда.`,
  ],
  [/^Rank correlation of the metrics, (.*)$/, (of) => `Рангова корелация на метриките, ${termOf(of ?? "")}`],
  [
    /^Stars: paired t-test by question, Holm-corrected over (\d+) comparisons\.$/,
    (count) => `Звездички: t-тест по двойки въпроси, коригиран по Holm за ${count} сравнения.`,
  ],
  [
    /^Stars: paired t-test by question, Holm-corrected over (\d+) comparisons? of CPS and (\d+) of the metrics\.$/,
    (cps, metrics) =>
      `Звездички: t-тест по двойки въпроси, коригиран по Holm за ${cps} сравнения на CPS и ${metrics} на метриките.`,
  ],
  [
    /^Over ([\d,]+) rows that have all of these metrics; higher is better except for perplexities\.$/,
    (rows) =>
      `Върху ${spaced(rows)} реда, които имат всички тези метрики; по-голямото е по-добро освен при перплексиите.`,
  ],
];

function termOf(text: string): string {
  const known = TERMS[text];
  if (known !== undefined) return known;
  for (const [pattern, say] of PATTERNS) {
    const found = pattern.exec(text);
    if (found) return say(...found.slice(1));
  }
  return text;
}

export const figures: Words["figures"] = {
  title: "Фигури",
  lead: "Всяка фигура може да се чете като таблица и да се запази.",
  waiting: "Чертаене",
  asFigure: "Фигура",
  table: "Таблица",
  shownAs: (title) => `${title}: показване като`,
  save: (title, format) => `Запазване на ${title} като ${format}`,
  series: "Поредица",
  baseline: "база",
  none: "няма стойност",
  legend: "Легенда",
  gain: "значимо подобрение",
  loss: "значимо влошаване",
  ns: "незначимо",
  level: "база (прекъсната линия)",
  interval: (low, high) => `95 % ДИ от ${low} до ${high}`,
  about: {
    line: (y, x) => `Линии на ${y} спрямо ${x}.`,
    bar: (y, x) => `Стълбове на ${y} по ${x}.`,
    scatter: (y, x) => `Точки на ${y} спрямо ${x}.`,
    heatmap: (y, x) => `Клетки, оцветени според ${y}, по ${x}.`,
  },
  seriesOf: (names) => `За ${names}.`,
  between: (low, high) => `Стойностите са между ${low} и ${high}.`,
  empty: "Няма стойност.",
  asTable: "Таблицата съдържа всички стойности.",
  term: termOf,
  nothing: "Тук още няма какво да се начертае.",
};
