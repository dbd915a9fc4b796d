import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { CrossDomain } from "@/api/types";
import { formatCount, formatDifference, formatScore, formatShare } from "@/components/numbers/format";
import { Num } from "@/components/numbers/Num";
import { Panel } from "@/components/Panel";
import { type Behind, foundIn } from "@/components/results/behind";
import { GoalLink } from "@/components/results/GoalLink";
import { cell, NumberHead, Sheet } from "@/components/Sheet";
import { words } from "@/words";

const label = words.crossing;
const POINT = 0.01;

type Across = CrossDomain["models"][number];
type Side = Across["first"];

const threshold = (value: number) => String(Number(value.toFixed(4)));
const points = (value: number) => formatDifference(value / POINT, 2);

interface Props {
  crossed: CrossDomain;
  /** Configurations of the first study, and of the second. */
  behind: [Behind[], Behind[]];
}

/** Each model in both studies, and what moved between them. */
export function Rankings({ crossed, behind }: Props) {
  return (
    <>
      <Panel title={label.rankings}>
        <Sheet label={label.rankings} pinned>
          <thead>
            <tr>
              <th scope="col">{label.model}</th>
              <th scope="col">{label.domain}</th>
              <NumberHead name={label.rank} title={label.rankTitle} />
              <NumberHead name={label.bestThreshold} title={label.bestThresholdTitle} />
              <NumberHead name={label.gain} title={label.gainTitle} />
              <NumberHead name={label.tcps} title={label.tcpsTitle} />
              <NumberHead name={label.cv} title={label.cvTitle} />
              <NumberHead name={label.passages} title={label.passagesTitle} />
              <NumberHead name={label.percentile} title={label.percentileTitle} />
              <NumberHead name={label.n} title={label.nTitle} />
            </tr>
          </thead>
          <tbody>
            {crossed.models.flatMap((item) => [
              <Line key={`${item.model} 1`} model={item.model} side={item.first} behind={behind[0]} />,
              <Line key={`${item.model} 2`} model={item.model} side={item.second} behind={behind[1]} />,
            ])}
          </tbody>
        </Sheet>
      </Panel>
      <Panel title={label.between}>
        <Sheet label={label.between} pinned>
          <thead>
            <tr>
              <th scope="col">{label.model}</th>
              <NumberHead name={label.ranks} title={label.ranksTitle} />
              <NumberHead name={label.shift} title={label.shiftTitle} />
              <NumberHead name={label.change} title={label.changeTitle} />
              <NumberHead name={label.differsAt} title={label.differsAtTitle} />
            </tr>
          </thead>
          <tbody>
            {crossed.models.map((item) => (
              <Moved key={item.model} item={item} isTested={isTested(crossed, item.model)} />
            ))}
          </tbody>
        </Sheet>
      </Panel>
    </>
  );
}

function isTested({ differences }: CrossDomain, model: string): boolean {
  return differences.some((item) => item.model === model && item.p_max_t !== null);
}

function Line({ model, side, behind }: { model: string; side: Side; behind: Behind[] }) {
  const base = foundIn(behind, { model, threshold: null });
  const best =
    side.best_threshold === null ? undefined : foundIn(behind, { model, threshold: side.best_threshold });
  const number = (content: ReactNode) => <td className={cell.number}>{content}</td>;
  return (
    <tr>
      <th scope="row">
        <GoalLink goal={(best ?? base)?.questions}>{model}</GoalLink>
      </th>
      <td>{side.domain}</td>
      {number(formatCount(side.rank))}
      {number(
        <GoalLink goal={best?.questions}>
          <Num value={side.best_threshold} reason={label.noGain} format={threshold} />
        </GoalLink>,
      )}
      {number(
        <GoalLink goal={best?.changed}>
          <Num value={side.gain} reason={label.noGain} format={points} />
        </GoalLink>,
      )}
      {number(<Num value={side.tcps} reason="no_cv" format={formatScore} />)}
      {number(
        <>
          <Num value={side.cv} reason="no_cv" format={formatScore} />
          {side.baseline_cv !== null && (
            <Text size="xs" c="var(--quiet)">
              {label.cvBaseline(formatScore(side.baseline_cv))}
            </Text>
          )}
        </>,
      )}
      {number(
        <Num
          value={side.mean_passages}
          reason={side.best_threshold === null ? label.noGain : label.notKnown}
          format={(value) => formatScore(value, 1)}
        />,
      )}
      {number(
        <Num
          value={side.similarity_percentile}
          reason={side.best_threshold === null ? label.noGain : label.notKnown}
          format={formatShare}
        />,
      )}
      {number(formatCount(side.n_questions))}
    </tr>
  );
}

function Moved({ item, isTested: tested }: { item: Across; isTested: boolean }) {
  const { first, second } = item;
  return (
    <tr>
      <th scope="row">{item.model}</th>
      <td className={cell.number}>
        {first.rank === second.rank
          ? formatCount(first.rank)
          : label.rankMoved(formatCount(first.rank), formatCount(second.rank))}
      </td>
      <td className={cell.number}>
        <Num value={item.shift} reason={label.noShift} format={(value) => formatDifference(value, 2)} />
      </td>
      <td className={cell.number}>
        <Num value={item.change_of_gain} reason={label.noChange} format={points} />
      </td>
      <td className={cell.number}>
        {!tested && label.untested}
        {tested && (item.differing.length > 0 ? item.differing.map(threshold).join(", ") : label.nowhere)}
      </td>
    </tr>
  );
}
