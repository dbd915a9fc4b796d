import { Anchor, Group, Select, Text } from "@mantine/core";
import { useState } from "react";
import type { SweepAnalysis } from "@/api/types";
import { choicesOf } from "@/components/choices";
import { bindChoice } from "@/components/fields";
import { Note } from "@/components/Note";
import { Panel } from "@/components/Panel";
import { Sentences } from "@/components/Sentences";
import { t } from "@/words";
import { constantsIn, type Source, sourceOf } from "./constants";
import { JsonFileButton } from "./JsonFileButton";

const CONSTANTS_SOURCES = {
  own: t("This pool"),
  analysis: t("Another analysis"),
  file: t("File"),
};
const SOURCES: Source[] = ["own", "analysis", "file"];

interface Analysed {
  scope: SweepAnalysis["scope"];
  pools: SweepAnalysis["pools"];
  constants?: SweepAnalysis["constants"];
  statements: string[];
}

interface Props {
  /** In the address: nothing, an id, or constants as JSON. */
  given: string | undefined;
  onGive: (given: string | undefined) => void;
  /** Other analyses of the same kind. */
  others: { id: string; name: string }[];
  analysis: Analysed | undefined;
  /** Address of the analysis as JSON, which holds its constants, and the name to save it under. */
  file: { address: string; name: string };
}

/** Where the minimum and maximum of each metric come from: of this pool, of another analysis, or from a file. */
export function ConstantsPanel({ given, onGive, others, analysis, file }: Props) {
  const [asked, setAsked] = useState<Source | null>(null);
  const [unread, setUnread] = useState<string | null>(null);
  const source = asked ?? sourceOf(given);
  const choose = (next: Source) => {
    setUnread(null);
    // What it is pinned to is chosen next; until then nothing changes.
    setAsked(next === "own" ? null : next);
    if (next === "own") onGive(undefined);
  };
  const give = (next: string) => {
    setUnread(null);
    setAsked(null);
    onGive(next);
  };
  return (
    <Panel title={t("Constants")}>
      <Text maw="48rem">
        {t(
          "CPS scales each metric to the range 0 to 1 by its minimum and maximum in a pool. CPS values can be compared only when they use the same constants. To compare with an earlier analysis, use its constants here.",
        )}
      </Text>
      <Group gap="sm" align="flex-end">
        <Select
          w="min(100%, 20rem)"
          label={t("Minimum and maximum")}
          data={SOURCES.map((value) => ({ value, label: CONSTANTS_SOURCES[value] }))}
          {...bindChoice(source, choose)}
        />
        {source === "analysis" && (
          <Select
            w="min(100%, 24rem)"
            label={t("Analysis")}
            placeholder={others.length === 0 ? t("No other analysis") : t("Choose an analysis")}
            data={choicesOf(others)}
            value={sourceOf(given) === "analysis" ? (given ?? null) : null}
            searchable
            disabled={others.length === 0}
            onChange={(value) => value && give(value)}
          />
        )}
        {source === "file" && (
          <JsonFileButton label={t("Choose file")} find={constantsIn} onFound={give} onUnread={setUnread} />
        )}
      </Group>
      {unread !== null && (
        <Note tone="bad" role="alert">
          {t(
            "{file} contains no constants. Choose an analysis saved on this page, or the output of passer analyse --json.",
            { file: unread },
          )}
        </Note>
      )}
      {analysis && <Rests analysis={analysis} />}
      {analysis?.constants && (
        <Anchor size="sm" href={file.address} download={file.name}>
          {t("Save constants (JSON)")}
        </Anchor>
      )}
    </Panel>
  );
}

function Rests({ analysis: { pools, statements } }: { analysis: Analysed }) {
  return (
    <>
      <Text size="sm" fw={550}>
        {basisOf({ pools })}
      </Text>
      {statements.length > 0 && (
        <Sentences texts={statements} spacing={4} aria-label={t("How these figures were computed")} />
      )}
    </>
  );
}

/** What every CPS of an analysis is relative to, in a line. */
export function basisOf({ pools }: Pick<Analysed, "pools">): string {
  const [first] = pools;
  if (!first) return "";
  if (pools.length > 1)
    return t("CPS relative to {pools, plural, one {# pool} other {# pools}}, each with its own constants.", {
      pools: pools.length,
    });
  return t("CPS relative to {pool}; {rows, plural, one {# row} other {# rows}}.", {
    pool: first.name,
    rows: first.rows,
  });
}
