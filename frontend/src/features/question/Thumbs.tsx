import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { judgingQueries, useAddThumb } from "@/api/judging";
import { Panel } from "@/components/Panel";
import { ProblemNotice } from "@/components/ProblemNotice";
import { t } from "@/words";

/** What readers say of one answer in passing: counted, and apart from the labels of raters. */
export function Thumbs({ run, number }: { run: string; number: number }) {
  const { data } = useQuery(judgingQueries.thumbs(run, number));
  const add = useAddThumb();
  const give = (is_up: boolean) => add.mutate({ params: { path: { run_id: run, number } }, body: { is_up } });
  if (!data) return null;
  return (
    <Panel title={t("Feedback")}>
      <Group gap="sm">
        <Button variant="default" size="xs" loading={add.isPending} onClick={() => give(true)}>
          {t("Good answer ({count, number})", { count: data.up })}
        </Button>
        <Button variant="default" size="xs" loading={add.isPending} onClick={() => give(false)}>
          {t("Bad answer ({count, number})", { count: data.down })}
        </Button>
      </Group>
      <Text size="sm" c="var(--quiet)" mt="xs">
        {t("Counted without names. Feedback changes no score and is not used to calibrate judges.")}
      </Text>
      {add.error && <ProblemNotice error={add.error} />}
    </Panel>
  );
}
