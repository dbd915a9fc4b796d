import { Button, Checkbox, Group, List, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { inProject } from "@/api/project";
import { usePublish } from "@/api/steering";
import type { SweepDetail } from "@/api/types";
import { forRole } from "@/components/ForRole";
import { bindTick } from "@/components/fields";
import { ButtonLink, FileLink, SmallLink } from "@/components/links";
import { More } from "@/components/More";
import { Panel } from "@/components/Panel";
import { PublishStudy } from "@/components/results/PublishStudy";
import { language, t } from "@/words";
import { OUTLETS } from "./state";

/** So many bundles are seen at once; more of them are unfolded. */
const FEW = 4;

/** What a person takes from a sweep: its report, and each run with its proofs. */
export function Outlets({ sweep }: { sweep: SweepDetail }) {
  const finished = sweep.runs.filter(({ state }) => state === "finished");
  return (
    <div id={OUTLETS}>
      <Panel title={t("Export and share")}>
        <Stack gap="xs">
          <Text maw="44rem">{t("A self-contained HTML page with all figures, tables and settings.")}</Text>
          <Group>
            <Button
              component="a"
              variant="default"
              href={inProject(`/api/v1/sweeps/${encodeURIComponent(sweep.id)}/report?language=${language}`)}
              download
            >
              {t("Save report")}
            </Button>
            <ButtonLink to="/analysis/sweeps/$id" params={{ id: sweep.id }} variant="default">
              {t("Open analysis")}
            </ButtonLink>
          </Group>
        </Stack>
        {finished.length > 0 && <Publish sweep={sweep} />}
        {finished.length > 0 && <Bundles runs={finished} />}
      </Panel>
    </div>
  );
}

const Publish = forRole("researcher", function Publish({ sweep }: { sweep: SweepDetail }) {
  const publish = usePublish();
  const path = { sweep_id: sweep.id };
  return (
    <More title={t("Publish this sweep")}>
      <PublishStudy
        id={sweep.id}
        name={sweep.sweep.name}
        label={t("Publish this sweep")}
        text={t(
          "A study is the whole sweep in one file: all runs, the table, the verdict and how to cite it. Anyone can compute the table again from the records. Publishing enters its digest in the ledger.",
        )}
        hasPrompts
        publish={publish}
        onPublish={(body, stamp) => publish.mutate({ params: { path, query: { stamp } }, body })}
      />
    </More>
  );
});

/** The bundle of each finished run, and where one is checked. */
function Bundles({ runs }: { runs: SweepDetail["runs"] }) {
  const [texts, setTexts] = useState(true);
  return (
    <Stack gap="xs">
      <Text maw="44rem">
        {t(
          "A bundle is one run in a zip file: its manifest, answers, scores and proofs. Anyone can verify that it was not changed.",
        )}
      </Text>
      <Checkbox label={t("Bundles with questions, references and answers")} {...bindTick(texts, setTexts)} />
      <More
        title={t("{count, plural, one {Bundle of # run} other {Bundles of # runs}}", { count: runs.length })}
        isOpen={runs.length <= FEW}
      >
        <List listStyleType="none" mt={4} spacing={4} size="sm">
          {runs.map(({ id, name }) => (
            <List.Item key={id}>
              <FileLink
                address={`/api/v1/runs/${encodeURIComponent(id)}/bundle${texts ? "" : "?texts=false"}`}
                aria-label={t("Save bundle of {run}", { run: name })}
              >
                {name}
              </FileLink>
            </List.Item>
          ))}
        </List>
      </More>
      <div>
        <SmallLink to="/audit">{t("Verify bundle")}</SmallLink>
      </div>
    </Stack>
  );
}
