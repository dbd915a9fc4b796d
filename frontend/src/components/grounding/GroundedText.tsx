import { List, Text } from "@mantine/core";
import type { CSSProperties } from "react";
import type { GroundedAnswer } from "@/api/types";
import { Hint } from "@/components/Hint";
import { formatShare } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { t } from "@/words";
import { reasonOf } from "@/words/reasons";
import classes from "./grounding.module.css";

type Sentence = GroundedAnswer["checked"]["sentences"][number];
type Cited = GroundedAnswer["checked"]["citations"][number];

/** An answer sentence by sentence, each tinted by the share of its keywords that the passages have. */
export function GroundedText({ answer }: { answer: GroundedAnswer }) {
  const { sentences, citations } = answer.checked;
  const reason = answer.columns["Grounded share"]?.reason;
  return (
    <Panel title={t("Grounding")}>
      {reason ? (
        <Text c="var(--quiet)">{reasonOf(reason)}</Text>
      ) : (
        <Text component="div" maw="46rem">
          {sentences.map((sentence, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sentences have no other identity, and never move.
            <span key={place}>
              <Tinted sentence={sentence} />{" "}
            </span>
          ))}
        </Text>
      )}
      {citations.length > 0 && (
        <List size="sm" aria-label={t("Citations")}>
          {citations.map((each, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a passage may be cited twice, and the list never moves.
            <List.Item key={place}>
              <CitationLine cited={each} />
            </List.Item>
          ))}
        </List>
      )}
      <Text size="sm" c="var(--quiet)">
        {t(
          "Shared keywords are no proof of support: a sentence and its negation have nearly the same keywords.",
        )}
      </Text>
    </Panel>
  );
}

function Tinted({ sentence: { text, share, found, is_grounded, cites } }: { sentence: Sentence }) {
  const marks = cites.map((number) => `[${number}]`).join("");
  if (share == null) return `${text} ${marks}`;
  const said =
    found.length > 0
      ? t("{share} of its keywords are in the passages: {words}", {
          share: formatShare(share),
          words: found.join(", "),
        })
      : t("The passages contain none of its keywords.");
  return (
    <span
      className={is_grounded ? classes.sentence : classes.unfound}
      style={{ "--share": share } as CSSProperties}
    >
      <Hint text={said}>{text}</Hint> {marks}
    </span>
  );
}

function CitationLine({ cited: { number, share, problem, is_verified } }: { cited: Cited }) {
  if (problem === "no_such_source")
    return (
      <>
        <span className={classes.unverified}>[{number}]</span>{" "}
        {t("The prompt has no passage with this number.")}
      </>
    );
  const passage = t("passage {number, number}", { number });
  if (share == null)
    return (
      <>
        <span className={classes.unverified}>{passage}</span> {t("The citing text has no keywords.")}
      </>
    );
  const text = t("{share} of the keywords of the citing text are in it", { share: formatShare(share) });
  return (
    <>
      <span className={is_verified ? undefined : classes.unverified}>{passage}</span>: {text},{" "}
      {is_verified ? t("verified") : t("not verified")}
    </>
  );
}
