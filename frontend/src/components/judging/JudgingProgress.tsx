import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { useCancelAssessment, useResumeAssessment } from "@/api/judging";
import { Problem } from "@/api/problem";
import type { Job } from "@/api/types";
import { BudgetField } from "@/components/BudgetField";
import { ForRole, useMay } from "@/components/ForRole";
import { bindText } from "@/components/fields";
import { JobProgress } from "@/components/JobProgress";
import { Note } from "@/components/Note";
import { ServerText } from "@/components/ServerText";
import { t } from "@/words";

/** How far a judge is, and the ways to stop and resume it; `cancel` is the label of the button. */
export function JudgingProgress({ job, cancel: label }: { job: Job; cancel: string }) {
  const cancel = useCancelAssessment();
  const resume = useResumeAssessment();
  const [budget, setBudget] = useState("");
  const params = { path: { assessment_id: job.id } };
  const isMoving = job.state === "queued" || job.state === "running";
  const canResume = job.state === "paused" || job.state === "cancelled" || job.state === "failed";
  const may = useMay();
  if (!isMoving && !canResume) return null;
  return (
    <>
      {isMoving && (
        <JobProgress label={t("Asking the judge")} message={job.message} done={job.done} total={job.total} />
      )}
      {canResume && job.message && (
        <Note tone="warn" role="status">
          <ServerText text={job.message} />
        </Note>
      )}
      {may && canResume && (
        <BudgetField
          size="xs"
          maw="26rem"
          {...bindText(budget, setBudget)}
          error={resume.error instanceof Problem ? resume.error.message : null}
        />
      )}
      <ForRole>
        <Group gap="xs">
          {canResume && (
            <Button
              size="xs"
              variant="default"
              loading={resume.isPending}
              onClick={() => resume.mutate({ params, body: { budget } })}
            >
              {budget.trim() === "" ? t("Resume without a limit") : t("Resume with this budget")}
            </Button>
          )}
          {job.state !== "cancelled" && job.state !== "failed" && (
            <Button
              size="xs"
              variant="default"
              loading={cancel.isPending}
              onClick={() => cancel.mutate({ params })}
            >
              {label}
            </Button>
          )}
        </Group>
      </ForRole>
    </>
  );
}
