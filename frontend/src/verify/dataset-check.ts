/** Whether the records' questions are those of the dataset whose digest the manifest states. */
import { digestOf } from "./bytes";
import { canonical } from "./canonical";
import type { Manifest, QuestionRecord } from "./forms";

/** Sees the records in order. */
export class DatasetCheck {
  private readonly questions: string[] = [];

  constructor(private readonly dataset: Manifest["dataset"]) {}

  see({ id, question: text, reference }: QuestionRecord): void {
    this.questions.push(canonical({ gold_passages: [], id, reference, text }));
  }

  /** Whether the digest follows from the questions seen; it may cover gold passages too. */
  async follows(): Promise<boolean> {
    const language = canonical(this.dataset.language);
    const whole = `{"language":${language},"questions":[${this.questions.join(",")}]}`;
    return (await digestOf(whole)) === this.dataset.digest;
  }
}
