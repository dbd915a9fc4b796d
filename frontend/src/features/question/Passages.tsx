import { Button, Group, Text } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Fragment } from "react";
import type { EvaluationDetail } from "@/api/types";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { PassageItem } from "@/components/passages/PassageItem";
import { PassageList } from "@/components/passages/PassageList";
import { words } from "@/words";
import { holdsGold } from "./gold";
import { cutOf } from "./policy";
import classes from "./question.module.css";

const route = getRouteApi("/runs/$id/questions/$number");
const BELOW = 3;
const label = words.evaluation;

/** All passages that were looked up, nearest first, with the line between those kept and the others. */
export function Passages({ detail }: { detail: EvaluationDetail }) {
  const { rest } = route.useSearch();
  const navigate = useNavigate({ from: "/runs/$id/questions/$number" });
  const { passages, evaluation, question, run } = detail;
  const [first = 0, last = 0] = evaluation.kept;
  const isShown = rest === "shown";
  const shown = isShown ? passages : passages.slice(0, last + BELOW);
  const hidden = passages.length - Math.min(passages.length, last + BELOW);
  const cut = cutOf(run.config.retrieval);
  const toggle = () =>
    navigate({ search: isShown ? {} : { rest: "shown" }, replace: true, resetScroll: false });

  return (
    <Panel
      title={label.passages}
      beside={
        <Text size="sm" c="var(--quiet)">
          {passages.length > 0
            ? label.passagesLead(formatCount(last - first), formatCount(passages.length))
            : label.noPassages}
        </Text>
      }
    >
      <PassageList>
        {passages.length > 0 && last === 0 && <CutLine text={`${cut} ${label.cutNone}`} />}
        {shown.map((passage, place) => (
          <Fragment key={passage.id}>
            {first > 0 && place === first && <CutLine text={cut} />}
            <PassageItem
              passage={passage}
              isKept={place >= first && place < last}
              isGold={holdsGold(passage, question.gold_passages)}
            />
            {place === last - 1 && <CutLine text={cut} />}
          </Fragment>
        ))}
      </PassageList>
      {hidden > 0 && (
        <Group>
          <Button variant="default" size="xs" onClick={toggle} aria-expanded={isShown}>
            {isShown ? label.hideRest : label.showRest(formatCount(hidden))}
          </Button>
        </Group>
      )}
    </Panel>
  );
}

function CutLine({ text }: { text: string }) {
  return (
    <li className={classes.cut}>
      <span>{text}</span>
    </li>
  );
}
