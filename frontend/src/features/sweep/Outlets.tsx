import { Anchor, Button, Group, List, Stack, Text } from "@mantine/core";
import type { SweepDetail } from "@/api/types";
import { AnchorLink, ButtonLink } from "@/components/links";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { words } from "@/words";
import classes from "./Basis.module.css";
import { OUTLETS } from "./state";

const label = words.sweep;
/** So many bundles are seen at once; more of them are unfolded. */
const FEW = 12;

/** What a person takes from a sweep: its report, and each run with its proofs. */
export function Outlets({ sweep }: { sweep: SweepDetail }) {
  const finished = sweep.runs.filter(({ state }) => state === "finished");
  return (
    <div id={OUTLETS}>
      <Panel title={label.outlets}>
        <Stack gap="xs">
          <Text maw="44rem">{words.analysis.reportText}</Text>
          <Group>
            <Button
              component="a"
              variant="default"
              href={`/api/v1/sweeps/${encodeURIComponent(sweep.id)}/report`}
              download
            >
              {words.analysis.reportSave}
            </Button>
            <ButtonLink to="/analysis/sweeps/$id" params={{ id: sweep.id }} variant="default">
              {words.analysis.open}
            </ButtonLink>
          </Group>
        </Stack>
        {finished.length > 0 && <Bundles runs={finished} />}
      </Panel>
    </div>
  );
}

/** The bundle of each finished run, and where one is checked. */
function Bundles({ runs }: { runs: SweepDetail["runs"] }) {
  return (
    <Stack gap="xs">
      <Text maw="44rem">{label.bundlesText}</Text>
      <details className={classes.more} open={runs.length <= FEW}>
        <summary>{label.bundles(formatCount(runs.length))}</summary>
        <List listStyleType="none" mt={4} spacing={4} size="sm">
          {runs.map(({ id, name }) => (
            <List.Item key={id}>
              <Anchor
                size="sm"
                href={`/api/v1/runs/${encodeURIComponent(id)}/bundle`}
                download
                aria-label={label.bundleOf(name)}
              >
                {name}
              </Anchor>
            </List.Item>
          ))}
        </List>
      </details>
      <div>
        <AnchorLink to="/audit" size="sm">
          {label.bundlesAudit}
        </AnchorLink>
      </div>
    </Stack>
  );
}
