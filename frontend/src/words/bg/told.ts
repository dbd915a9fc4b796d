import type { Words } from "..";
import { columnOf } from "./columns";
import { figures } from "./figures";
import { numbers } from "./numbers";
import { sentence } from "./sentences";

/** Titles of the server's tables by their names. */
const TABLES: Record<string, string> = {
  configurations: "Конфигурации",
  top_cps: "Най-големи печалби в CPS",
  top_tcps: "Най-високо T-CPS",
  spearman: "Рангова корелация на T-CPS с CPS и CV",
  spearman_within_model: "Рангова корелация на T-CPS с CPS и CV във всеки модел",
  balance_ranking: "Значими печалби, подредени по баланс",
  agreement: "Съгласни ли са трите критерия",
  significance_counts: "Значими печалби и загуби, некоригирани",
  best_configurations: "Най-добри конфигурации",
  tests: "Всеки тест на всяка печалба",
  significance_counts_corrected: "Значими печалби и загуби по корекция",
  threshold_profiles: "Профили на отклика спрямо прага",
  differences_between_thresholds: "RQ1: различават ли се конфигурациите?",
  differences_between_models: "RQ2: различава ли се печалбата между моделите?",
  differences_between_domains: "RQ3: различава ли се печалбата между областите?",
  domains: "Най-добри прагове в двете области",
  moved_correlations: "Метрики, чиято корелация най-много се различава между областите",
  counts: "Планирани и налични бройки",
  planning: "Планиране: въпроси, които откриват печалба",
  half_splits: "Препоръка при многократно деление на две половини",
  sensitivity_alpha_beta: "Чувствителност към алфа и бета на T-CPS",
  sensitivity_weights: "Чувствителност към теглата на панела",
  sensitivity_normalisation: "Чувствителност към нормализацията",
  metric_correlations: "Рангова корелация на метриките",
  redundant_metrics: "Метрики, които подреждат отговорите еднакво",
  effective_weights: "Константи и действителни тегла",
  compared_metrics: "Средни и разлики по двойки на сравнените изпълнения",
  factors: "Какво отличава сравнените изпълнения",
  changed_questions: "Въпросите зад разликата",
  timings: "Времена и токени по конфигурации",
  timings_between_machines: "Една и съща конфигурация на две машини",
};

const YES: Record<string, string> = { yes: "да", no: "не", "not shown": "не е показано" };
const ALL: Record<string, string> = { all: "всички", "all models": "всички модели" };
const BASELINE: Record<string, string> = { baseline: "база" };

/** Words that stand in the cells of a column; anything else there is a name. */
const CELLS: Record<string, Record<string, string>> = {
  is_baseline: YES,
  is_best: YES,
  is_constant: YES,
  is_contiguous: YES,
  not_told_from_best: YES,
  one_at_a_time: YES,
  equivalent: YES,
  model: ALL,
  name: ALL,
  rows_of: ALL,
  threshold: BASELINE,
  profile: { broad: "широк", narrow: "тесен", mixed: "смесен", none: "никакъв" },
  effect: { negligible: "пренебрежим", small: "малък", medium: "среден", large: "голям" },
  alignment: { Perfect: "пълно", Divergent: "няма" },
  interpretation: {
    "Large improvement": "голямо подобрение",
    "Moderate improvement": "умерено подобрение",
    "Small improvement": "малко подобрение",
    "Minimal change": "минимална промяна",
  },
  correction: { "none (t-test)": "без (t-тест)" },
  normalisation: {
    "min-max": "минимум и максимум",
    winsorised: "винзоризирана",
    "log-perplexity": "логаритъм на перплексиите",
    rank: "рангове",
  },
  basis: {
    "no repeats in the pilot": "пилотът е без повторения",
    "repeats of the pilot": "повторенията на пилота",
  },
  change_of_gain: { "not comparable: different constants": "не са сравними: различни константи" },
};

export const told: Words["told"] = {
  sentence,
  table: (name, title) => TABLES[name] ?? title,
  column: columnOf,
  cell: (column, text) => {
    if (column === "reason") return numbers.reason(text).replace(/\.$/, "");
    if (column === "pool") return figures.term(text);
    const published = column === "model" && /^published, phase (.+)$/.exec(text);
    if (published) return `публикувани, фаза ${published[1]}`;
    return CELLS[column]?.[text] ?? text;
  },
};
