import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { SweepPreview } from "@/api/types";
import { formatCount, formatScore, formatShare } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { cell, Sheet } from "@/components/Sheet";
import { words } from "@/words";

type Policy = SweepPreview["policies"][number];

const label = words.newSweep;
const COLUMNS: [keyof typeof label.previewColumns, (policy: Policy) => ReactNode][] = [
  [
    "passages",
    ({ retrieval: { mean_passages, reason } }) => (
      <Num value={mean_passages} reason={reason} format={(value) => formatScore(value, 1)} />
    ),
  ],
  ["most", ({ most_passages }) => formatCount(most_passages)],
  [
    "coverage",
    ({ retrieval: { coverage, reason } }) => <Num value={coverage} reason={reason} format={formatShare} />,
  ],
  [
    "recall",
    ({ retrieval: { recall, reason } }) => <Num value={recall} reason={reason} format={formatScore} />,
  ],
  ["tokens", ({ tokens }) => <Tokens value={tokens?.mean} />],
  ["longest", ({ tokens }) => <Tokens value={tokens?.most} />],
  ["overflowing", ({ tokens }) => <Tokens value={tokens?.overflowing} />],
];

function Tokens({ value }: { value: number | undefined }) {
  return <Num value={value} reason={label.previewNoTokens} format={formatCount} />;
}

/** Policy by policy: passages kept, coverage, gold recall and the size of the prompts. */
export function PreviewTable({ preview }: { preview: SweepPreview }) {
  const { policies, collections } = preview;
  const several = new Set(policies.map(({ prompt }) => prompt)).size > 1;
  return (
    <Sheet label={label.preview} pinned>
      <thead>
        <tr>
          <th scope="col">{label.previewPolicy}</th>
          {COLUMNS.map(([name]) => {
            const [short, long] = label.previewColumns[name];
            return (
              <th key={name} scope="col" className={cell.number}>
                <abbr title={long}>{short}</abbr>
              </th>
            );
          })}
        </tr>
      </thead>
      <tbody>
        {policies.map((policy) => {
          const notes = [
            collections.length > 1 && policy.collection,
            several && policy.prompt,
            policy.is_baseline && words.sweep.baseline,
          ].filter(Boolean);
          return (
            <tr key={`${policy.collection} ${policy.prompt} ${policy.name} ${policy.is_baseline}`}>
              <th scope="row">
                {policy.name}
                {notes.length > 0 && (
                  <Text size="xs" c="var(--quiet)">
                    {notes.join(", ")}
                  </Text>
                )}
              </th>
              {COLUMNS.map(([name, value]) => (
                <td key={name} className={cell.number}>
                  {value(policy)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </Sheet>
  );
}
