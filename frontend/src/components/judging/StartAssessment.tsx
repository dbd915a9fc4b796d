import { useQuery } from "@tanstack/react-query";
import { judgingQueries, useStartAssessment } from "@/api/judging";
import type { AssessmentPlan, AssessmentRequest, Sending } from "@/api/types";
import { BUILT_IN, modelOf } from "@/components/models/value";
import { formatCount } from "@/components/numbers/format";
import { ProblemNotice } from "@/components/ProblemNotice";
import { SendButton } from "@/components/SendButton";
import { useSettled } from "@/components/useSettled";
import { t } from "@/words";
import { AskingPlan } from "./AskingPlan";
import { costFacts } from "./costFacts";

interface Props {
  /** Undefined while something is missing. */
  request: Sending<AssessmentRequest> | undefined;
  onStarted: (id: string) => void;
  /** What is judged, if not answers. */
  of?: string;
}

function factsOf(plan: AssessmentPlan, of: string): [string, string][] {
  const { items, asks, known, is_complete, columns } = plan;
  return [
    [of, formatCount(items)],
    [t("Metrics"), columns.join(", ")],
    [
      t("Requests"),
      is_complete
        ? formatCount(asks)
        : t("at least {count, number}; later steps depend on the replies", { count: asks }),
    ],
    [t("Judged before"), t("{count, number}, reused without a request", { count: known })],
    ...costFacts(plan),
  ];
}

/** What an assessment would ask and cost, and the button that starts it. */
export function StartAssessment({ request, onStarted, of }: Props) {
  const settled = useSettled(request);
  const plan = useQuery({
    ...judgingQueries.plan(settled ?? { judge: modelOf(BUILT_IN) }),
    enabled: settled !== undefined,
  });
  const start = useStartAssessment();
  const submit = async () => {
    if (!request) return;
    const made = await start.mutateAsync({ body: request as AssessmentRequest }).catch(() => null);
    if (made) onStarted(made.assessment.id);
  };
  return (
    <>
      {settled && (
        <AskingPlan query={plan} factsOf={(found) => factsOf(found, of ?? t("Distinct answers"))} />
      )}
      <ProblemNotice error={start.error} />
      <SendButton
        missing={request ? null : t("Choose a judge, and what it judges.")}
        disabled={plan.isError}
        loading={start.isPending}
        onClick={submit}
      >
        {t("Start assessment")}
      </SendButton>
    </>
  );
}
