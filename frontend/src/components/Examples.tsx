import { Button, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useJob } from "@/api/jobs";
import { exampleQueries, useLoadExample } from "@/api/materials";
import { forRole } from "@/components/ForRole";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import { JobProgress } from "./JobProgress";
import { showDone } from "./notices";
import { ProblemNotice } from "./ProblemNotice";

interface Props {
  /** What to do with an example that is there; left out, the form opens with both its parts chosen. */
  onLoaded?: (name: string) => void;
}

/** Example documents with questions, one click away. */
export const Examples = forRole("researcher", function Examples({ onLoaded }: Props) {
  const [chosen, setChosen] = useState("");
  const examples = useQuery(exampleQueries.list());
  const load = useLoadExample();
  const navigate = useNavigate();
  const job = useJob({
    changes: ["collections", "datasets"],
    onDone: async (_, isHere) => {
      if (onLoaded || !isHere) {
        showDone(t("Example loaded"));
        if (isHere) onLoaded?.(chosen);
        return;
      }
      showDone(
        t("Example loaded"),
        t("The form uses the documents and questions of the example. Check the plan, then start the sweep."),
      );
      // An example becomes a collection and a dataset of its own name.
      await navigate({ to: "/new", search: { collection: chosen, dataset: chosen } });
    },
  });

  const start = (name: string) => {
    setChosen(name);
    void job.begin(load.mutateAsync({ params: { path: { name } } }));
  };

  if (examples.isError) return <ProblemNotice error={examples.error} onRetry={() => examples.refetch()} />;
  const busy = load.isPending || job.isBusy;
  return (
    <Stack gap="xs">
      <Quiet>{t("Load an example with documents and questions:")}</Quiet>
      <Group gap="xs">
        {examples.data?.items.map(({ name, documents, questions }) => (
          <Button
            key={name}
            variant="default"
            h="auto"
            maw="100%"
            py="xs"
            disabled={busy && chosen !== name}
            loading={busy && chosen === name}
            onClick={() => start(name)}
          >
            <Stack gap={0} align="flex-start" ta="left">
              {t("Load {name}", { name: name.replaceAll("-", " ") })}
              <Quiet span size="xs" fw={400}>
                {t(
                  "{documents, plural, one {# document} other {# documents}}, {questions, plural, one {# question} other {# questions}}",
                  { documents, questions },
                )}
              </Quiet>
            </Stack>
          </Button>
        ))}
      </Group>
      {job.running && <JobProgress label={t("Loading example")} {...job.running} />}
      <ProblemNotice error={job.problem} title={t("Example not loaded")} />
    </Stack>
  );
});
