import { Anchor, Button, FileButton, Group, List, Select, Text } from "@mantine/core";
import { useState } from "react";
import type { SweepAnalysis } from "@/api/types";
import { choicesOf } from "@/components/choices";
import { Note } from "@/components/Note";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { Said, saidOf, type Wordings } from "@/components/Said";
import { words } from "@/words";
import { constantsIn, type Source, sourceOf } from "./constants";

const label = words.analysis;
const SOURCES: Source[] = ["own", "analysis", "file"];

interface Analysed {
  scope: SweepAnalysis["scope"];
  pools: SweepAnalysis["pools"];
  constants?: SweepAnalysis["constants"];
  statements: string[];
  wordings: Wordings;
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
  const read = async (chosen: File | null) => {
    if (!chosen) return;
    const found = constantsIn(await chosen.text());
    if (found === null) setUnread(chosen.name);
    else give(found);
  };
  return (
    <Panel title={label.constants}>
      <Text maw="48rem">{label.constantsText}</Text>
      <Group gap="sm" align="flex-end">
        <Select
          w="min(100%, 20rem)"
          label={label.constantsFrom}
          data={SOURCES.map((value) => ({ value, label: label.constantsSources[value] }))}
          allowDeselect={false}
          value={source}
          onChange={(value) => choose(value as Source)}
        />
        {source === "analysis" && (
          <Select
            w="min(100%, 24rem)"
            label={label.constantsAnalysis}
            placeholder={others.length === 0 ? label.constantsNone : label.constantsChoose}
            data={choicesOf(others)}
            value={sourceOf(given) === "analysis" ? (given ?? null) : null}
            searchable
            disabled={others.length === 0}
            onChange={(value) => value && give(value)}
          />
        )}
        {source === "file" && (
          <FileButton onChange={read} accept="application/json,.json">
            {(props) => (
              <Button variant="default" {...props}>
                {label.constantsFile}
              </Button>
            )}
          </FileButton>
        )}
      </Group>
      {unread !== null && (
        <Note tone="bad" role="alert">
          {label.constantsUnread(unread)}
        </Note>
      )}
      {analysis && <Rests analysis={analysis} />}
      {analysis?.constants && (
        <Anchor size="sm" href={file.address} download={file.name}>
          {label.constantsSave}
        </Anchor>
      )}
    </Panel>
  );
}

function Rests({ analysis: { scope, pools, statements, wordings } }: { analysis: Analysed }) {
  return (
    <>
      <Text size="sm" fw={550}>
        {basisOf({ scope, pools, wordings })}
      </Text>
      {statements.length > 0 && (
        <List size="sm" spacing={4} aria-label={label.statements}>
          {statements.map((sentence) => (
            <List.Item key={sentence}>
              <Said text={sentence} wordings={wordings} />
            </List.Item>
          ))}
        </List>
      )}
    </>
  );
}

/** What every CPS of an analysis is relative to, in a line. */
export function basisOf({ scope, pools, wordings }: Pick<Analysed, "scope" | "pools" | "wordings">): string {
  const [first] = pools;
  if (!first) return "";
  if (pools.length > 1) return label.basisSeveral(scope, formatCount(pools.length));
  return label.basis(scope, saidOf(first.name, wordings), formatCount(first.rows));
}
