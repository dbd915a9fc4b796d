import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { isMoving } from "@/api/states";
import { type Act, accepting, useRegisterPlan, useSteering } from "@/api/steering";
import type { SweepDetail } from "@/api/types";
import { Confirm } from "@/components/Confirm";
import { forRole } from "@/components/ForRole";
import { ButtonLink } from "@/components/links";
import { showDone } from "@/components/notices";
import { t } from "@/words";
import { EditDetails } from "./EditDetails";
import { NEW_BUDGET } from "./RaiseBudget";

/** Whether no question was asked yet, so that the plan can still be registered. */
function isUntouched({ registered, runs }: SweepDetail): boolean {
  const isWaiting = ({ state, counts }: SweepDetail["runs"][number]) =>
    (state === "queued" || state === "paused") && counts.answered + counts.failed === 0;
  return !registered && runs.every(isWaiting);
}

/** What a person can do to the sweep as it is now. */
export const Actions = forRole("researcher", function Actions({ sweep }: { sweep: SweepDetail }) {
  const { busy, steer } = useSteering();
  const [asking, question] = useDisclosure();
  const accepts = (act: Act) => accepting(act, sweep.runs).length > 0;
  const stop = () => {
    question.close();
    void steer("cancel", sweep.runs, true);
  };
  return (
    <>
      {accepts("pause") && (
        <Button variant="default" loading={busy === "pause"} onClick={() => steer("pause", sweep.runs, true)}>
          {t("Pause")}
        </Button>
      )}
      {isUntouched(sweep) && <RegisterPlan id={sweep.id} />}
      {accepts("resume") && sweep.used_up && (
        <Button onClick={() => document.getElementById(NEW_BUDGET)?.focus()}>{t("Raise budget")}</Button>
      )}
      {accepts("resume") && !sweep.used_up && (
        <Button loading={busy === "resume"} onClick={() => steer("resume", sweep.runs, true)}>
          {t("Resume")}
        </Button>
      )}
      {accepts("cancel") && (
        <Button variant="default" loading={busy === "cancel"} onClick={question.open}>
          {t("Cancel")}
        </Button>
      )}
      <EditDetails sweep={sweep} />
      {!isMoving(sweep.state) && (
        <ButtonLink variant="default" to="/new" search={{ copy: sweep.id }}>
          {t("Copy as new sweep")}
        </ButtonLink>
      )}
      <Confirm
        isOpen={asking}
        title={t("Cancel this sweep?")}
        text={t("“{name}” is cancelled. Results so far are kept.", { name: sweep.name })}
        keep={t("Keep running", {}, "sweep")}
        confirm={t("Cancel sweep")}
        onConfirm={stop}
        onClose={question.close}
      />
    </>
  );
});

/** Enters the plan of a sweep that waits in the ledger, before its first question is asked. */
function RegisterPlan({ id }: { id: string }) {
  const { mutate, isPending } = useRegisterPlan(() => showDone(t("Plan registered")));
  return (
    <Button
      variant="default"
      loading={isPending}
      onClick={() => mutate({ params: { path: { sweep_id: id, act: "register" } } })}
    >
      {t("Register before running")}
    </Button>
  );
}
