import type { ListedRun } from "@/api/types";
import { ButtonLink } from "@/components/links";
import { SteerButtons } from "@/components/steering/SteerButtons";
import type { Selection } from "@/components/table/useRows";
import { t } from "@/words";

interface Props {
  selection: Selection;
  items: readonly ListedRun[];
}

/** What can be done to the runs that are ticked: compare them, or steer those that an act fits. */
export function Acts({ selection, items }: Props) {
  const ticked = items.filter(({ run }) => selection.has(run.id)).map(({ run }) => run);
  return (
    <>
      <ButtonLink
        to="/compare"
        search={{ runs: selection.keys.join("~") }}
        size="xs"
        disabled={selection.keys.length < 2}
      >
        {t("Compare", {}, "act")}
      </ButtonLink>
      <SteerButtons runs={ticked} />
    </>
  );
}
