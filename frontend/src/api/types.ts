import type { Readable } from "openapi-typescript-helpers";
import type { components } from "./schema";

type Schemas = { [Name in keyof components["schemas"]]: Readable<components["schemas"][Name]> };

/** The server's models under their own names; nothing is mapped. */
export type AnsweredQuestion = Schemas["AnsweredQuestion"];
export type Answer = Schemas["Answer"];
export type ChangedQuestion = Schemas["ChangedQuestion"];
export type Collection = Schemas["Collection"];
export type CollectionDetail = Schemas["CollectionDetail"];
export type Comparison = Schemas["Comparison"];
export type ConfigurationResult = Schemas["ConfigurationResult"];
export type CrossDomain = Schemas["CrossDomain"];
export type Dataset = Schemas["Dataset"];
export type DatasetPreview = Schemas["DatasetPreview"];
export type DatasetSummary = Schemas["DatasetSummary"];
export type Evaluation = Schemas["Evaluation"];
export type Figure = Schemas["Figure"];
export type ImportDetail = Schemas["ImportDetail"];
export type ImportSummary = Schemas["ImportSummary"];
export type Job = Schemas["Job"];
export type EvaluationDetail = Schemas["EvaluationDetail"];
export type EvaluationRow = Schemas["EvaluationRow"];
export type ListedRun = Schemas["ListedRun"];
export type MetricInfo = Schemas["MetricInfo"];
export type Model = Schemas["Model"];
export type ModelInfo = Schemas["ModelInfo"];
export type NamedTable = Schemas["NamedTable"];
export type Part = Schemas["Part"];
export type Question = Schemas["Question"];
export type Prompt = Schemas["Prompt"];
export type Ranking = Schemas["Ranking"];
export type RetrievedPassage = Schemas["RetrievedPassage"];
export type Run = Schemas["Run"];
export type RunComparison = Schemas["RunComparison"];
export type RunComposite = Schemas["RunComposite"];
export type RunConfig = Schemas["RunConfig"];
export type RecentFailure = Schemas["RecentFailure"];
export type LedgerRow = Schemas["LedgerRow"];
export type RunMetrics = Schemas["RunMetrics"];
export type RunCounts = Schemas["RunCounts"];
export type RunState = Schemas["RunState"];
export type Score = Schemas["Score"];
export type SheetQuestion = Schemas["SheetQuestion"];
export type SheetQuestionDetail = Schemas["SheetQuestionDetail"];
export type SingleQuestion = Schemas["SingleQuestion"];
export type Sweep = Schemas["Sweep"];
export type SweepAnalysis = Schemas["SweepAnalysis"];
export type SweepComposites = Schemas["SweepComposites"];
export type SweepDetail = Schemas["SweepDetail"];
export type SweepPlan = Schemas["SweepPlan"];
export type SweepPreview = Schemas["SweepPreview"];
export type TimingComparison = Schemas["TimingComparison"];
export type TimingReport = Schemas["TimingReport"];
export type TransactionToSign = Schemas["TransactionToSign"];
export type WalletChain = Schemas["WalletChain"];

/** What may be sent: whatever has a default on the server can be left out. */
export type Sending<T> = T extends readonly (infer Item)[]
  ? Sending<Item>[]
  : T extends object
    ? { [Key in keyof T]?: Sending<T[Key]> | undefined }
    : T;
