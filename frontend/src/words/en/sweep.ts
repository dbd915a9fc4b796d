export const sweep = {
  pause: "Pause",
  resume: "Resume",
  cancel: "Cancel",
  cancelTitle: "Cancel this sweep?",
  cancelText: (name: string) => `“${name}” stops here. What has been answered and scored is kept.`,
  cancelYes: "Cancel the sweep",
  cancelNo: "Let it run",
  copy: "Copy as a new sweep",
  progress: "Progress",
  progressName: (done: string, total: string) => `${done} of ${total} evaluations scored`,
  done: (done: string, total: string) => `${done} of ${total} evaluations`,
  retrieving: "Looking up passages",
  waiting: "Waiting for the model server",
  eta: (eta: string) => `about ${eta} left`,
  answered: "answered",
  scored: "scored",
  failed: "failed",
  reused: "shared an answer",
  uncovered: "without a passage",
  abstained: "abstained",
  truncated: "truncated",
  countsTitle: "Counts",
  setUp: (of: {
    configurations: string;
    questions: string;
    dataset: string;
    collection: string;
    models: string;
    prompt: string;
    profile: string;
    temperature: string;
    seed: string;
  }) =>
    `${of.configurations === "1" ? "1 configuration" : `${of.configurations} configurations`} × ${of.questions} questions of ${of.dataset}, passages from ${of.collection}, ` +
    `answered by ${of.models} (prompt ${of.prompt}, temperature ${of.temperature}, seed ${of.seed}); ${of.profile} metrics.`,
  results: "Results",
  resultsPartial: "The sweep is not finished: these figures will change.",
  computing: (count: string) =>
    `The tests over ${count} evaluations are being made; this takes some seconds.`,
  runs: "Configurations",
  configuration: "Configuration",
  baseline: "baseline",
  recommended: "recommended",
  state: "State",
  warnings: "Before you believe this table",
  recommendation: "Recommendation",
  noRecommendation: "Keep the baseline",
  noBaseline: "Nothing to compare with",
  pool: (of: { panel: string; profile: string; pool: string; runs: string; rows: string }) =>
    `CPS uses the panel ${of.panel} (${of.profile} metrics), scaled over the pool “${of.pool}”: ${of.runs === "1" ? "1 run" : `${of.runs} runs`}, ${of.rows} rows.`,
  basis: "What these figures rest on",
  constants: (pool: string) => `Constants of the pool ${pool}`,
  weight: "Weight",
  effectiveWeight: "Effective",
  effectiveWeightHint: "Share of the variance of CPS that this metric holds",
  minimum: "Minimum",
  maximum: "Maximum",
  exports: { composites: "This table", evaluations: "Every evaluation" },
  exportName: (table: string, format: string) => `${table} as ${format}`,
  groups: { composite: "Composite", gain: "Compared with the baseline", retrieval: "Retrieval" },
  columns: {
    n: ["n", "Questions in the composite"],
    cps: [
      "CPS",
      "Composite Performance Score: the weighted mean of the panel's metrics, each scaled to [0, 1] within the pool",
    ],
    ci: ["95 % CI", "95 % confidence interval of the mean CPS"],
    cv: ["CV", "Coefficient of variation of CPS over the questions"],
    tcps: ["T-CPS", "Mean CPS, rewarded for a low and penalised for a high variation"],
    gain: ["Gain", "CPS points above the baseline, paired by question; one point is .01"],
    gainFigure: ["Gain, 95 % CI", "The gain with its 95 % confidence interval; the dashed line is no gain"],
    improvement: ["Improvement", "Gain as a percentage of the baseline's CPS"],
    p: ["p", "Two-sided paired t-test by question against the baseline, uncorrected"],
    pHolm: ["p, Holm", "The same, corrected for the number of comparisons; * .05, ** .01, *** .001"],
    d: ["d", "Cohen's d for pairs"],
    balance: ["Balance", "Improvement of T-CPS divided by CV"],
    passages: ["Passages", "Mean number of passages kept"],
    coverage: ["Coverage", "Share of questions for which at least one passage was kept"],
    hit: ["Hit rate", "Share of questions with at least one gold passage kept"],
    recall: ["Recall", "Mean share of the gold passages that were kept"],
    precision: ["Precision", "Mean share of the kept passages that are gold"],
    ndcg: ["nDCG", "Normalised discounted cumulative gain of the gold passages"],
    abstention: ["Abstained", "Share of answers that say the passages do not hold the answer"],
    failed: ["Failed", "Questions without an answer"],
  },
};
