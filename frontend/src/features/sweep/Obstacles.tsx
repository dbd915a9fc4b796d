import type { SweepDetail } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { Note } from "@/components/Note";
import { ServerText } from "@/components/ServerText";
import { t } from "@/words";

/** Failures in a row that are worth a warning. */
const FEW = 2;

/** Why a sweep that goes on does not go on as it should: it waits for its turn, or its model keeps failing. */
export function Obstacles({ sweep }: { sweep: SweepDetail }) {
  const { queue, progress, state } = sweep;
  const streaks = state === "running" ? (progress?.streaks ?? []).filter(({ count }) => count >= FEW) : [];
  return (
    <>
      {queue && (
        <Note title={t("Place {place, number} in the queue", { place: queue.place })} role="status">
          {reasonOf(queue)}{" "}
          {queue.ahead && (
            <AnchorLink to="/sweeps/$id" params={{ id: queue.ahead }}>
              {queue.ahead_name ?? queue.ahead}
            </AnchorLink>
          )}
        </Note>
      )}
      {streaks.map(({ model, count, limit, reason }) => (
        <Note
          key={model}
          tone="warn"
          role="status"
          title={t("{model}: {count, number} equal failures in a row", { model, count })}
        >
          <ServerText text={reason} />{" "}
          {t("After {limit, number} equal failures in a row, the configurations of this model are paused.", {
            limit,
          })}
        </Note>
      ))}
    </>
  );
}

function reasonOf({ reason, ahead }: NonNullable<SweepDetail["queue"]>): string {
  if (reason === "same_server")
    return t("It waits for a sweep that uses another model or context window on the same server:");
  if (reason === "timing") return t("A timing run needs the machine to itself. It waits for:");
  if (reason === "slots" && ahead)
    return t("The limit of sweeps that run at a time is reached. It waits for:");
  return t("It starts within a few seconds.");
}
