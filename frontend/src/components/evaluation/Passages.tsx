import { Button, Group, Stack } from "@mantine/core";
import { type ReactNode, type RefObject, useMemo, useRef } from "react";
import type { Answer, RetrievedPassage } from "@/api/types";
import { formatCount, formatScore } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { PassageItem } from "@/components/passages/PassageItem";
import { PassageList } from "@/components/passages/PassageList";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import { FixedLine, MovableLine } from "./CutLine";
import { CutSummary } from "./CutSummary";
import { withCut } from "./cut";
import type { Detail } from "./detail";
import { type Gold, goldOf } from "./gold";
import { Verbatim } from "./PromptPanel";
import { cutOf } from "./policy";
import { Searched } from "./Searched";
import { supportOf } from "./support";
import { type MovableCut, useCut } from "./useCut";
import { useView } from "./useView";

const BELOW = 3;

interface Props {
  detail: Detail;
  /** What can be done with a policy whose line was moved. */
  again?: (policy: Detail["policy"]) => ReactNode;
}

/** The passages that a question was answered from. */
export function Passages(props: Props) {
  const own = props.detail.answer?.passages ?? [];
  return own.length > 0 ? <OutsidePassages passages={own} /> : <RankedPassages {...props} />;
}

/** All passages that were looked up, nearest first, with the line between those kept and the others. */
function RankedPassages({ detail, again }: Props) {
  const [{ rest }, put] = useView();
  const list = useRef<HTMLOListElement>(null);
  const gold = useMemo(() => goldOf(detail), [detail]);
  const cut = useCut(detail);
  const { passages } = detail;
  const [first = 0, last = 0] = detail.kept;
  const deepest = Math.max(last, cut?.kept ?? 0) + BELOW;
  const isShown = rest === "shown";
  const hidden = Math.max(0, passages.length - deepest);
  const toggle = () => put(() => ({ rest: isShown ? undefined : "shown" }));

  return (
    <Panel
      title={t("Passages")}
      beside={
        <Quiet>
          {passages.length > 0
            ? t(
                "{kept, number} of {total, plural, one {# retrieved passage} other {# retrieved passages}} kept",
                { kept: last - first, total: passages.length },
              )
            : t("No passages were retrieved")}
        </Quiet>
      }
    >
      {detail.rewriting && <Searched rewriting={detail.rewriting} />}
      {cut && passages.length > 0 && <CutSummary cut={cut} detail={detail} gold={gold} again={again} />}
      <PassageList ref={list}>
        <Ranking
          detail={detail}
          cut={cut}
          gold={gold}
          list={list}
          count={isShown ? passages.length : deepest}
        />
      </PassageList>
      {hidden > 0 && (
        <Group>
          <Button variant="default" size="xs" onClick={toggle} aria-expanded={isShown}>
            {isShown
              ? t("Show fewer")
              : t("Show {count, plural, one {# passage} other {# passages}} not kept", { count: hidden })}
          </Button>
        </Group>
      )}
    </Panel>
  );
}

interface RankingProps {
  detail: Detail;
  cut: MovableCut | null;
  gold: Gold;
  list: RefObject<HTMLOListElement | null>;
  count: number;
}

type Line = [place: number, line: ReactNode];

/** The first passages, with every line in its place among them. */
function Ranking({ detail, cut, gold, list, count }: RankingProps) {
  const { passages, answer, kept } = detail;
  const support = useMemo(
    // Only what the model read can support its answer.
    () => supportOf(answer?.abstained ? "" : (answer?.text ?? ""), passages.slice(...kept)),
    [answer, passages, kept],
  );
  if (passages.length === 0) return null;
  // Answers cite the passages of the prompt, which a moved line does not change.
  const [first = 0, last = 0] = kept;
  const [from = 0, to = 0] = cut ? [0, cut.kept] : detail.kept;
  const numbers = promptNumbers(passages.slice(first, last), detail.passageOrder);
  const rows: ReactNode[] = passages
    .slice(0, count)
    .map((passage, place) => (
      <PassageItem
        key={passage.id}
        passage={passage}
        isKept={place >= from && place < to}
        isGold={gold.ids.has(passage.id)}
        support={support.get(passage.id)}
        number={numbers.get(passage.id)}
      />
    ));
  const lines = cut ? movableLines(detail, cut, list) : fixedLines(detail);
  // From the last place to the first, so that no line moves another's place.
  for (const [place, line] of lines.sort(([a], [b]) => b - a)) rows.splice(place, 0, line);
  return rows;
}

/** The numbers, from 1, that the prompt gave the kept passages. */
function promptNumbers(
  kept: readonly RetrievedPassage[],
  order: Detail["passageOrder"],
): Map<string, number> {
  const listed = order === "document" ? [...kept].sort(byDocument) : kept;
  return new Map(listed.map(({ id }, place) => [id, place + 1]));
}

const byDocument = (one: RetrievedPassage, other: RetrievedPassage) =>
  one.document === other.document ? one.number - other.number : one.document < other.document ? -1 : 1;

/** The line that can be moved, and the run's own where that is another. */
function movableLines(
  { passages, kept: own, policy }: Detail,
  cut: MovableCut,
  list: RefObject<HTMLOListElement | null>,
): Line[] {
  const [, last = 0] = own;
  const text = cutOf(withCut(policy, cut.line));
  const kept = formatCount(cut.kept);
  const moved = cut.isMoved ? t("{cut}: {kept} kept", { cut: text, kept }) : text;
  const line = (
    <MovableLine
      key="cut"
      cut={cut}
      text={cut.kept === 0 ? `${text} ${t("– no passages kept")}` : moved}
      meaning={t(
        "{cut}: {kept} of {total, plural, one {# passage} other {# passages}} kept (this run: {before, number}).",
        { cut: text, kept, total: passages.length, before: last },
      )}
      total={passages.length}
      list={list}
    />
  );
  if (!cut.isMoved) return [[cut.kept, line]];
  const ownLine = <FixedLine key="own" text={t("this run: {cut}", { cut: cutOf(policy) })} isQuiet />;
  const lines: Line[] = [
    [cut.kept, line],
    [last, ownLine],
  ];
  // Of two lines at one place, the one inserted last comes first: the stricter one.
  const isStricter = cut.line.by === "similarity" && cut.line.at > cut.own.at;
  return isStricter ? lines.reverse() : lines;
}

/** Where a policy without a movable line cuts: behind the last kept, and before the first where some are left out. */
function fixedLines({ kept, policy }: Detail): Line[] {
  const [first = 0, last = 0] = kept;
  const text = cutOf(policy);
  const end = <FixedLine key="last" text={last === 0 ? `${text} ${t("– no passages kept")}` : text} />;
  if (first === 0) return [[last, end]];
  return [
    [last, end],
    [first, <FixedLine key="first" text={text} />],
  ];
}

/** Passages that an external system reports; no collection holds them, so they have no similarity. */
function OutsidePassages({ passages }: { passages: NonNullable<Answer["passages"]> }) {
  return (
    <Panel
      title={t("Passages")}
      beside={
        <Quiet>
          {t("{count, plural, one {# passage} other {# passages}} reported by the system", {
            count: passages.length,
          })}
        </Quiet>
      }
    >
      <Stack gap="md">
        {passages.map(({ text, document, score }, place) => (
          <Verbatim
            // biome-ignore lint/suspicious/noArrayIndexKey: a system may report the same passage twice
            key={place}
            label={labelOf(place + 1, document, score)}
            text={text}
          />
        ))}
      </Stack>
    </Panel>
  );
}

function labelOf(rank: number, document = "", score: number | null = null): string {
  const about = [document, score !== null && t("score {score}", { score: formatScore(score) })].filter(
    Boolean,
  );
  return [`${rank}`, ...about].join(", ");
}
