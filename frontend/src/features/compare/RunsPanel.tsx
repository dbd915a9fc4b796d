import { CloseButton } from "@mantine/core";
import { api } from "@/api/client";
import type { RunComparison } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { cell, Sheet } from "@/components/Sheet";
import { words } from "@/words";
import classes from "./compare.module.css";
import { RunPicker } from "./RunPicker";
import type { Chosen } from "./useChosen";

const label = words.compare;

interface Props {
  chosen: Chosen;
  comparison: RunComparison | undefined;
}

/** Which runs are compared, and with which. */
export function RunsPanel({ chosen, comparison }: Props) {
  return (
    <Panel title={label.runs}>
      <Sheet label={label.runs} pinned>
        <thead>
          <tr>
            <th scope="col">{label.run}</th>
            <th scope="col">{label.sweep}</th>
            <th scope="col">{words.runs.model}</th>
            <th scope="col">{words.runs.dataset}</th>
            <th scope="col" className={cell.number}>
              {label.n}
            </th>
            <th scope="col">{label.baseline}</th>
            <th scope="col">{words.shell.actions}</th>
          </tr>
        </thead>
        <tbody>
          {chosen.runs.map((id) => (
            <RunLine key={id} id={id} chosen={chosen} comparison={comparison} />
          ))}
        </tbody>
      </Sheet>
      <RunPicker chosen={chosen} />
    </Panel>
  );
}

function RunLine({ id, chosen, comparison }: Props & { id: string }) {
  const query = api.useQuery("get", "/api/v1/runs/{run_id}", { params: { path: { run_id: id } } });
  const run = query.data;
  const place = comparison?.runs.findIndex((other) => other.id === id) ?? -1;
  const name = run?.name ?? id;
  // What is chosen shows at once; without a choice the server says which it took.
  const isBaseline = (chosen.baseline ?? comparison?.baseline) === id;
  return (
    <tr>
      <th scope="row">
        <AnchorLink to="/runs/$id" params={{ id }} size="sm">
          {name}
        </AnchorLink>
      </th>
      <td>{comparison?.sweep_names[place]}</td>
      <td>{run?.config.model.name}</td>
      <td>{run?.config.dataset}</td>
      <td className={cell.number}>
        {run && words.sweeps.of(formatCount(run.counts.scored), formatCount(run.counts.questions))}
      </td>
      <td>
        <label className={classes.choice}>
          <input
            type="radio"
            name="baseline"
            checked={isBaseline}
            onChange={() => chosen.setBaseline(id)}
            aria-label={label.makeBaseline(name)}
          />
          {isBaseline && <span>{label.isBaseline}</span>}
        </label>
      </td>
      <td>
        <CloseButton size="sm" aria-label={label.remove(name)} onClick={() => chosen.remove(id)} />
      </td>
    </tr>
  );
}
