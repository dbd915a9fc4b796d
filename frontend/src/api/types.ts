import type { Readable } from "openapi-typescript-helpers";
import type { components } from "./schema";

type Schemas = { [Name in keyof components["schemas"]]: Readable<components["schemas"][Name]> };

/** The server's models under their own names; nothing is mapped. */
export type Account = Schemas["Account"];
export type AnsweredQuestion = Schemas["AnsweredQuestion"];
export type AnswerAcross = Schemas["AnswerAcross"];
export type Assessment = Schemas["Assessment"];
export type AssessmentPlan = Schemas["AssessmentPlan"];
export type AssessmentRequest = Schemas["AssessmentRequest"];
export type AssessmentTable = Schemas["AssessmentTable"];
export type Answer = Schemas["Answer"];
export type ChangedQuestion = Schemas["ChangedQuestion"];
export type ColumnCalibration = Schemas["ColumnCalibration"];
export type Collection = Schemas["Collection"];
export type CollectionDetail = Schemas["CollectionDetail"];
export type Comparison = Schemas["Comparison"];
export type Conclusion = Schemas["SweepVerdict"]["conclusions"][number];
export type ConfigurationResult = Schemas["ConfigurationResult"];
export type CrossDomain = Schemas["CrossDomain"];
export type Dataset = Schemas["Dataset"];
export type DatasetPreview = Schemas["DatasetPreview"];
export type DatasetSummary = Schemas["DatasetSummary"];
export type Evaluation = Schemas["Evaluation"];
export type Experiment = Schemas["Experiment"];
export type Figure = Schemas["Figure"];
export type DefectEffects = Schemas["DefectEffects"];
export type ImportDetail = Schemas["ImportDetail"];
export type ImportSummary = Schemas["ImportSummary"];
export type JudgedAnswer = Schemas["JudgedAnswer"];
export type JudgedCell = Schemas["JudgedCell"];
export type JudgedQuestion = Schemas["JudgedQuestion"];
export type ListedAssessment = Schemas["ListedAssessment"];
export type Mark = Schemas["Mark"];
export type Job = Schemas["Job"];
export type EvaluationDetail = Schemas["EvaluationDetail"];
export type EvaluationRow = Schemas["EvaluationRow"];
export type ListedRun = Schemas["ListedRun"];
export type MatrixColumn = Schemas["MatrixColumn"];
export type MatrixRow = Schemas["MatrixRow"];
export type MetricInfo = Schemas["MetricInfo"];
export type Model = Schemas["Model"];
export type ModelInfo = Schemas["ModelInfo"];
export type ModelServer = Schemas["ModelServer"];
export type NamedTable = Schemas["NamedTable"];
export type Part = Schemas["Part"];
export type Question = Schemas["Question"];
export type GroundedAnswer = Schemas["GroundedAnswer"];
export type GroundedColumn = Schemas["GroundedColumn"];
export type LocatedQuestion = Schemas["LocatedQuestion"];
export type RunFailures = Schemas["RunFailures"];
export type Prompt = Schemas["Prompt"];
export type Ranking = Schemas["Ranking"];
export type RetrievalReport = Schemas["RetrievalReport"];
export type RetrievalRequest = Schemas["RetrievalRequest"];
export type Rewriting = Schemas["Rewriting"];
export type Retriever = NonNullable<Schemas["RunConfig"]["retriever"]>;
export type RetrievedPassage = Schemas["RetrievedPassage"];
export type Run = Schemas["Run"];
export type RunComparison = Schemas["RunComparison"];
export type RunComposite = Schemas["RunComposite"];
export type RunConfig = Schemas["RunConfig"];
export type RecentFailure = Schemas["RecentFailure"];
export type ListedDraw = Schemas["ListedDraw"];
export type LedgerRow = Schemas["LedgerRow"];
export type RunMetrics = Schemas["RunMetrics"];
export type RunCalibration = Schemas["RunCalibration"];
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
export type SweepNow = Schemas["SweepNow"];
export type SweepPlan = Schemas["SweepPlan"];
export type SweepPreview = Schemas["SweepPreview"];
export type ComparedTimings = Schemas["ComparedTimings"];
export type TimingReport = Schemas["TimingReport"];
export type Token = Schemas["Token"];
export type TransactionToSign = Schemas["TransactionToSign"];
export type WalletChain = Schemas["WalletChain"];

/** What may be sent: whatever has a default on the server can be left out. */
export type Sending<T> = T extends readonly (infer Item)[]
  ? Sending<Item>[]
  : T extends object
    ? { [Key in keyof T]?: Sending<T[Key]> | undefined }
    : T;
