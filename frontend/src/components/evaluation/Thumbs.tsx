import { Button, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { judgingQueries, useAddAnswerThumb, useAddThumb } from "@/api/judging";
import { useMay } from "@/components/ForRole";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";

/** Quick feedback of readers on one answer of a run: counted, and separate from the labels of raters. */
export function Thumbs({ run, number }: { run: string; number: number }) {
  const { data } = useQuery(judgingQueries.thumbs(run, number));
  const add = useAddThumb();
  const give = (is_up: boolean) => add.mutate({ params: { path: { run_id: run, number } }, body: { is_up } });
  return (
    <Feedback title={t("Feedback")} counted={data} isBusy={add.isPending} error={add.error} onGive={give} />
  );
}

/** The same of an answer that no run has, by the key of its content. */
export function AnswerThumbs({ answerKey }: { answerKey: string }) {
  const { data } = useQuery(judgingQueries.answerThumbs(answerKey));
  const add = useAddAnswerThumb();
  const give = (is_up: boolean) => add.mutate({ params: { path: { key: answerKey } }, body: { is_up } });
  // A page may have both.
  const title = t("Feedback on this answer");
  return <Feedback title={title} counted={data} isBusy={add.isPending} error={add.error} onGive={give} />;
}

interface Props {
  title: string;
  counted: { up: number; down: number } | undefined;
  isBusy: boolean;
  error: unknown;
  onGive: (isUp: boolean) => void;
}

function Feedback({ title, counted, isBusy, error, onGive }: Props) {
  const may = useMay();
  if (!counted) return null;
  return (
    <Panel title={title}>
      <Group gap="sm">
        <Button variant="default" size="xs" loading={isBusy} disabled={!may} onClick={() => onGive(true)}>
          {t("Good answer ({count, number})", { count: counted.up })}
        </Button>
        <Button variant="default" size="xs" loading={isBusy} disabled={!may} onClick={() => onGive(false)}>
          {t("Bad answer ({count, number})", { count: counted.down })}
        </Button>
      </Group>
      <Quiet mt="xs">
        {t("Feedback is anonymous. It changes no score and is not used to calibrate judges.")}
      </Quiet>
      <ProblemNotice error={error} />
    </Panel>
  );
}
