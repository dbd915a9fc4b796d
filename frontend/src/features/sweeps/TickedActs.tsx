import { accepting } from "@/api/steering";
import type { SweepDetail } from "@/api/types";
import { ButtonLink } from "@/components/links";
import { SteerButtons } from "@/components/steering/SteerButtons";
import type { Selection } from "@/components/table/useRows";
import { t } from "@/words";

/** As many runs as a comparison may have. */
const MOST_COMPARED = 20;

/** Compare or steer all runs of what is ticked; one alone can be set up again. */
export function TickedActs({ selection, items }: { selection: Selection; items: SweepDetail[] }) {
  const ticked = items.filter(({ id }) => selection.has(id));
  const [only, ...others] = ticked;
  const runs = ticked.flatMap((sweep) => sweep.runs);
  return (
    <>
      {only && others.length === 0 && (
        <ButtonLink to="/new" search={{ copy: only.id }} variant="default" size="xs">
          {t("Copy as new sweep")}
        </ButtonLink>
      )}
      {others.length > 0 && runs.length <= MOST_COMPARED && (
        <ButtonLink to="/compare" search={{ runs: runs.map(({ id }) => id).join("~") }} size="xs">
          {t("Compare", {}, "act")}
        </ButtonLink>
      )}
      <SteerButtons
        runs={runs}
        names={ticked.filter(({ runs }) => accepting("cancel", runs).length > 0).map(({ name }) => name)}
      />
    </>
  );
}
