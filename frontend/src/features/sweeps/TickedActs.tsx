import { accepting } from "@/api/steering";
import type { SweepDetail } from "@/api/types";
import { ButtonLink } from "@/components/links";
import { SteerButtons } from "@/components/steering/SteerButtons";
import type { Selection } from "@/components/table/useRows";
import { t } from "@/words";

/** Steer all runs of what is ticked; one alone can be set up again. */
export function TickedActs({ selection, items }: { selection: Selection; items: SweepDetail[] }) {
  const ticked = items.filter(({ id }) => selection.has(id));
  const [only, ...others] = ticked;
  return (
    <>
      {only && others.length === 0 && (
        <ButtonLink to="/new" search={{ copy: only.id }} variant="default" size="xs">
          {t("Copy as new sweep")}
        </ButtonLink>
      )}
      <SteerButtons
        runs={ticked.flatMap(({ runs }) => runs)}
        names={ticked.filter(({ runs }) => accepting("cancel", runs).length > 0).map(({ name }) => name)}
      />
    </>
  );
}
