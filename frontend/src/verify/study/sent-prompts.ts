/** prompts.jsonl: the prompts as they were sent, docs/study.md. */
import { type Bytes, digestOf } from "../bytes";
import type { Violation } from "../steps";
import type { RunFacts } from "./runs";

const LINE_FEED = 10;

/** The first line that is not the prompt with the digest of the records; null where all are. */
export async function otherPrompt(data: Bytes, runs: RunFacts[]): Promise<Violation | null> {
  if (data.length > 0 && data.at(-1) !== LINE_FEED) return { why: "not_ended" };
  const sent = new Set<string>();
  for (const { items } of runs) for (const { prompt } of items) if (prompt !== null) sent.add(prompt);
  let [start, number] = [0, 1];
  for (const digest of sent) {
    const end = data.indexOf(LINE_FEED, start);
    if (end < 0 || (await digestOf(data.subarray(start, end) as Bytes)) !== digest) {
      return { why: "other_prompt", facts: [String(number)] };
    }
    [start, number] = [end + 1, number + 1];
  }
  return start === data.length ? null : { why: "other_prompt", facts: [String(number)] };
}
