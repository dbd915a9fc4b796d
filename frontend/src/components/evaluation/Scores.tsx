import { Text } from "@mantine/core";
import { Panel } from "@/components/Panel";
import { ServerText } from "@/components/ServerText";
import { t } from "@/words";
import type { Detail } from "./detail";
import { ScoreTable } from "./ScoreTable";

/** The 24 columns of this answer. */
export function Scores({ detail: { scores, profile, reason } }: { detail: Detail }) {
  const rows = Object.entries(scores ?? {}).map(([metric, score]) => ({ metric, ...score }));
  return (
    <Panel title={t("Scores")}>
      {rows.length > 0 ? (
        <ScoreTable profile={profile} rows={rows} />
      ) : (
        <Text c="var(--quiet)">
          {reason ? <ServerText text={reason} /> : t("This answer is not scored yet.")}
        </Text>
      )}
    </Panel>
  );
}
