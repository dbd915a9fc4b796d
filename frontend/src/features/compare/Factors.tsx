import type { RunComparison } from "@/api/types";
import { Note } from "@/components/Note";
import { Sheet } from "@/components/Sheet";
import { words } from "@/words";
import { nameOf, verdictOf } from "./factors";

/** Whether the comparison is controlled or confounded, and by what. */
export function Factors({ comparison: { factors, runs } }: { comparison: RunComparison }) {
  const { isControlled, sentence } = verdictOf(factors);
  return (
    <>
      <Note tone={isControlled ? "plain" : "warn"} role="status">
        {sentence}
      </Note>
      {factors.length > 0 && (
        <Sheet label={words.compare.factor} pinned>
          <thead>
            <tr>
              <th scope="col">{words.compare.factor}</th>
              {runs.map(({ id, name }) => (
                <th key={id} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {factors.map(({ factor, values }) => (
              <tr key={factor}>
                <th scope="row">{nameOf(factor)}</th>
                {values.map((value, place) => (
                  <td key={runs[place]?.id}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </Sheet>
      )}
    </>
  );
}
