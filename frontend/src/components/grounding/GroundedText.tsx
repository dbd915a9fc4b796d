import { Anchor, List, Text } from "@mantine/core";
import type { CSSProperties, MouseEvent } from "react";
import type { GroundedAnswer } from "@/api/types";
import { Hint } from "@/components/Hint";
import { formatShare } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { passageId } from "@/components/passages/passageId";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import { reasonOf } from "@/words/reasons";
import classes from "./grounding.module.css";

type Sentence = GroundedAnswer["checked"]["sentences"][number];
type Cited = GroundedAnswer["checked"]["citations"][number];

/** An answer sentence by sentence, each tinted by the share of its keywords that the passages have. */
export function GroundedText({ answer, passages = 0 }: { answer: GroundedAnswer; passages?: number }) {
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
              <Tinted sentence={sentence} passages={passages} />{" "}
            </span>
          ))}
        </Text>
      )}
      {citations.length > 0 && (
        <List size="sm" aria-label={t("Citations")}>
          {citations.map((each, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a passage may be cited twice, and the list never moves.
            <List.Item key={place}>
              <CitationLine cited={each} passages={passages} />
            </List.Item>
          ))}
        </List>
      )}
      <Quiet>
        {t(
          "Shared keywords are no proof of support: a sentence and its negation have nearly the same keywords.",
        )}
      </Quiet>
    </Panel>
  );
}

function Tinted({ sentence, passages }: { sentence: Sentence; passages: number }) {
  const { text, share, found, places, is_grounded, cites } = sentence;
  const marks = cites.map((number) => (
    <PassageLink key={number} number={number} passages={passages} text={`[${number}]`} />
  ));
  if (share == null)
    return (
      <>
        {text} {marks}
      </>
    );
  const said =
    found.length > 0
      ? t("{share} of its keywords are in the passages: {words}", {
          share: formatShare(share),
          words: found.map((word) => placed(word, places?.[word])).join(", "),
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

/** A word with the numbers of the passages that contain it. */
function placed(word: string, numbers: readonly number[] = []): string {
  return numbers.length > 0 ? `${word} [${numbers.join(", ")}]` : word;
}

interface Linked {
  /** Number of the passage in the prompt, from 1. */
  number: number;
  /** Passages of the prompt that the page shows. */
  passages: number;
}

/** A link to a passage of the prompt further down on the page; plain text where the prompt has none of this number. */
function PassageLink({
  number,
  text,
  className,
  passages,
}: Linked & { text: string; className?: string | undefined }) {
  if (number < 1 || number > passages) return <span className={className}>{text}</span>;
  const id = passageId(number);
  const show = (event: MouseEvent) => {
    event.preventDefault();
    const passage = document.getElementById(id);
    passage?.scrollIntoView({ block: "center" });
    passage?.focus({ preventScroll: true });
  };
  return (
    <Anchor href={`#${id}`} onClick={show} className={className} inherit>
      {text}
    </Anchor>
  );
}

function CitationLine({ cited, passages }: { cited: Cited; passages: number }) {
  const { number, share, problem, is_verified } = cited;
  const link = { number, passages, text: t("passage {number, number}", { number }) };
  if (problem === "no_such_source")
    return (
      <>
        <span className={classes.unverified}>[{number}]</span>{" "}
        {t("The prompt has no passage with this number.")}
      </>
    );
  if (share == null)
    return (
      <>
        <PassageLink {...link} className={classes.unverified} /> {t("The citing text has no keywords.")}
      </>
    );
  const text = t("{share} of the keywords of the citing text are in it", { share: formatShare(share) });
  return (
    <>
      <PassageLink {...link} className={is_verified ? undefined : classes.unverified} />: {text},{" "}
      {is_verified ? t("verified") : t("not verified")}
    </>
  );
}
