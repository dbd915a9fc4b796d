import type { RetrievedQuestion } from "@/api/answers";
import type { AnsweredQuestion, EvaluationDetail, Question, RunConfig } from "@/api/types";

/** One question with all that came of it, asked by a run or on the spot. */
export interface Detail {
  question: Pick<Question, "text" | "reference" | "other_references" | "gold_passages">;
  /** The place of the right answer that gave each score, where there are several. */
  best_references?: EvaluationDetail["best_references"];
  policy: RunConfig["retrieval"];
  profile: RunConfig["profile"];
  passages: EvaluationDetail["passages"];
  gold_ids: EvaluationDetail["gold_ids"];
  /** The order of the kept passages in the prompt. */
  passageOrder?: RunConfig["passage_order"];
  /** Places [first, last) of the passages that were kept. */
  kept: EvaluationDetail["evaluation"]["kept"];
  /** Why there is no answer or no score. */
  reason: string | null | undefined;
  isReused: boolean;
  scores: EvaluationDetail["evaluation"]["scores"];
  prompt: EvaluationDetail["prompt"];
  answer: EvaluationDetail["answer"];
  embedding_s: number;
  retrieval_s: number;
  /** What was searched for, where that was not the question as it was asked. */
  rewriting?: EvaluationDetail["rewriting"];
}

export function detailOfRun({ run, evaluation, ...rest }: EvaluationDetail): Detail {
  return {
    ...rest,
    policy: run.config.retrieval,
    profile: run.config.profile,
    passageOrder: run.config.passage_order,
    kept: evaluation.kept,
    reason: evaluation.reason,
    isReused: evaluation.reused,
    scores: evaluation.scores,
  };
}

/** A question asked on the spot, with its answer as soon as there is one. */
export function detailOfAsked({ asked, ...rest }: RetrievedQuestion | AnsweredQuestion): Detail {
  return {
    answer: null,
    scores: null,
    ...rest,
    question: {
      text: asked.question,
      reference: asked.reference,
      other_references: asked.other_references ?? null,
      gold_passages: [],
    },
    policy: asked.retrieval,
    profile: asked.profile,
    passageOrder: asked.passage_order,
    gold_ids: null,
    reason: null,
    isReused: false,
  };
}
