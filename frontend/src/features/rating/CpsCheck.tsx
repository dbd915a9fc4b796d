import { Button, Group, Stack, Text } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { pairQueries } from "@/api/pairs";
import type { AnswerPair, PairChoice } from "@/api/types";
import { SmallLink } from "@/components/links";
import { PageState } from "@/components/NoPage";
import { PageHead } from "@/components/PageHead";
import { Quiet } from "@/components/Quiet";
import { useShortcuts } from "@/components/shortcuts";
import { t } from "@/words";
import { CpsAgreement } from "./CpsAgreement";
import classes from "./rating.module.css";
import { ShownAnswer } from "./ShownAnswer";

/** Pairs of answers that differ most in CPS, shown without their scores, and whether a person chooses alike. */
export function CpsCheck({ id }: { id: string }) {
  const query = useQuery(pairQueries.drawn(id));
  // Choices stay in this browser: a reload continues where it was.
  const [choices, setChoices] = useLocalStorage<PairChoice[]>({
    key: `passer.cps-check.${id}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  if (!query.data) return <PageState query={query} height={320} />;
  const { pairs } = query.data;
  const known = choices.filter(({ number }) => pairs.some((pair) => pair.number === number));
  const next = pairs.find(({ number }) => !known.some((choice) => choice.number === number));
  return (
    <>
      <PageHead
        title={t("CPS and your judgement")}
        trail={
          <SmallLink to="/sweeps/$id" params={{ id }}>
            {t("Back to the sweep")}
          </SmallLink>
        }
        lead={t(
          "For each question choose the better of two answers. They come from the configurations that differ most in CPS; configurations and scores are hidden until the end.",
        )}
      />
      {next ? (
        <Choice
          key={next.number}
          pair={next}
          position={t("Pair {place, number} of {total, number}", {
            place: known.length + 1,
            total: pairs.length,
          })}
          onChoose={(preferred) => setChoices([...known, { number: next.number, preferred }])}
          onUndo={known.length > 0 ? () => setChoices(known.slice(0, -1)) : undefined}
        />
      ) : (
        <CpsAgreement sweep={id} choices={known} onRestart={() => setChoices([])} />
      )}
    </>
  );
}

interface ChoiceProps {
  pair: AnswerPair;
  position: string;
  onChoose: (preferred: PairChoice["preferred"]) => void;
  onUndo: (() => void) | undefined;
}

function Choice({ pair, position, onChoose, onUndo }: ChoiceProps) {
  useShortcuts([
    ["1", () => onChoose("first")],
    ["2", () => onChoose("second")],
    ["3", () => onChoose("same")],
    ["u", () => onUndo?.()],
  ]);
  return (
    <Stack gap="md" className={classes.texts}>
      <Quiet role="status">{position}</Quiet>
      <Text size="lg" className={classes.text ?? ""}>
        {pair.question}
      </Text>
      {pair.reference && (
        <>
          <h2>{t("Reference answer")}</h2>
          <p className={classes.text}>{pair.reference}</p>
        </>
      )}
      <div className={classes.pair}>
        <ShownAnswer title={t("Answer 1")} text={pair.first} />
        <ShownAnswer title={t("Answer 2")} text={pair.second} />
      </div>
      <Group gap="xs">
        <Button onClick={() => onChoose("first")}>{t("Choose answer 1")}</Button>
        <Button onClick={() => onChoose("second")}>{t("Choose answer 2")}</Button>
        <Button variant="default" onClick={() => onChoose("same")}>
          {t("Equally good")}
        </Button>
        <Button variant="default" onClick={onUndo} disabled={!onUndo}>
          {t("Undo last choice")}
        </Button>
      </Group>
      <Quiet size="xs">{t("Keys: 1 answer 1, 2 answer 2, 3 equally good, u undo")}</Quiet>
    </Stack>
  );
}
