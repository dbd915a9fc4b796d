import { Button } from "@mantine/core";
import { useRegisterPlan } from "@/api/steering";
import { showDone } from "@/components/notices";
import { t } from "@/words";

/** Enters the plan of a sweep that waits in the ledger, before its first question is asked. */
export function RegisterPlan({ id }: { id: string }) {
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
