import { Button } from "@mantine/core";
import { linkOptions } from "@tanstack/react-router";
import { useSteering } from "@/api/steering";
import type { Conclusion, SweepDetail } from "@/api/types";
import { useMay } from "@/components/ForRole";
import { ButtonLink } from "@/components/links";
import { looksText } from "@/components/looks";

type Step = Conclusion["next_steps"][number];

const ACTS = { retry_failed: "retry", resume: "resume" } as const;

/** Adding more than this many times the questions of the sweep is offered last. */
const FAR = 10;

interface Props {
  sweep: SweepDetail;
  steps: readonly Step[];
}

/** What to do next: an act on the sweep, its questions, or the form of a new sweep with its settings filled in. */
export function NextSteps({ sweep, steps }: Props) {
  const { busy, steer } = useSteering();
  const isFar = ({ code, questions }: Step) =>
    code === "add_questions" && (questions ?? 0) > FAR * sweep.questions;
  const may = useMay();
  // All other steps change something.
  const open = may ? steps : steps.filter(({ code }) => code === "gold_lost");
  const nearestFirst = open.toSorted((a, b) => Number(isFar(a)) - Number(isFar(b)));
  return nearestFirst.map((step, place) => {
    const { code, text, run_ids } = step;
    const look = { size: "sm", variant: place === 0 && !isFar(step) ? "filled" : "default" } as const;
    if (code === "retry_failed" || code === "resume") {
      const act = ACTS[code];
      const runs = sweep.runs.filter(({ id }) => run_ids.includes(id));
      return (
        <Button key={code} {...look} loading={busy === act} onClick={() => steer(act, runs)}>
          {text}
        </Button>
      );
    }
    return (
      <ButtonLink
        key={code}
        {...look}
        {...goalOf(step, { id: sweep.id, dataset: sweep.sweep.config.dataset })}
      >
        {text}
      </ButtonLink>
    );
  });
}

/** Where a step leads. */
function goalOf(
  { code, run_ids, thresholds, k, questions, looks }: Step,
  { id: sweep, dataset }: { id: string; dataset: string },
) {
  const [run] = run_ids;
  if (code === "add_questions")
    return linkOptions({ to: "/datasets/$name", params: { name: dataset }, hash: "new-version" });
  if (code === "other_encoder") return linkOptions({ to: "/settings" });
  if (code === "gold_lost")
    return linkOptions({
      to: "/sweeps/$id",
      params: { id: sweep },
      search: { view: "questions", of: run, only: "gold_lost", order: "fall" },
    });
  return linkOptions({
    to: "/new",
    search: {
      copy: sweep,
      // More questions are for the whole sweep, a finer range is for one of its models.
      run: code === "more_questions" ? undefined : run,
      thresholds: thresholds.join(",") || undefined,
      k: k.join(",") || undefined,
      questions: questions ?? undefined,
      looks: looksText(looks),
    },
  });
}
