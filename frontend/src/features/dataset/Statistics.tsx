import type { Question } from "@/api/types";
import { formatCount, formatScore } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { Panel } from "@/components/Panel";
import { cell, Sheet } from "@/components/Sheet";
import { words } from "@/words";
import { countWords, describe } from "./describe";

const label = words.datasets;
const oneDecimal = (value: number) => formatScore(value, 1);

/** How long questions and references are, and how many gold passages there are. */
export function Statistics({ questions }: { questions: Question[] }) {
  const references = questions.map(({ reference }) => reference).filter(Boolean);
  const rows = [
    { name: label.questionWords, values: questions.map(({ text }) => countWords(text)) },
    { name: label.referenceWords, values: references.map(countWords) },
    { name: label.goldPassages, values: questions.map((question) => question.gold_passages.length) },
  ];
  return (
    <Panel title={label.statistics}>
      <Sheet label={label.statistics} pinned>
        <thead>
          <tr>
            <th scope="col">{label.measure}</th>
            {[label.shortest, label.median, label.mean, label.longest, label.counted].map((name) => (
              <th key={name} scope="col" className={cell.number}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, values }) => (
            <Line key={name} name={name} values={values} />
          ))}
        </tbody>
      </Sheet>
    </Panel>
  );
}

function Line({ name, values }: { name: string; values: number[] }) {
  const found = describe(values);
  const cells: [number | undefined, (value: number) => string][] = [
    [found?.minimum, formatCount],
    [found?.median, oneDecimal],
    [found?.mean, oneDecimal],
    [found?.maximum, formatCount],
    [found?.n ?? 0, formatCount],
  ];
  return (
    <tr>
      <th scope="row">{name}</th>
      {cells.map(([value, format], place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns are fixed
        <td key={place} className={cell.number}>
          <Num value={value} reason={label.noReferences} format={format} />
        </td>
      ))}
    </tr>
  );
}
