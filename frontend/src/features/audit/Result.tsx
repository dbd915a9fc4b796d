import { Stack, Text } from "@mantine/core";
import { Command } from "@/components/Command";
import { Facts } from "@/components/Facts";
import { AnchorLink } from "@/components/links";
import { Note } from "@/components/Note";
import { formatCount } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import type { Verification } from "@/verify";
import { words } from "@/words";
import { StepTable } from "./StepTable";

const label = words.audit;

interface Props {
  /** Name of the file. */
  name: string;
  found: Verification;
}

/** What was found out about a bundle. */
export function Result({ name, found }: Props) {
  const failed = found.steps.filter(({ outcome }) => outcome === "fail").length;
  const holds = found.verdict === "verified";
  return (
    <>
      {holds ? (
        <Note title={label.verified} role="status">
          {label.verifiedText(formatCount(found.questions), name)}
        </Note>
      ) : (
        <Note tone="bad" title={label.notVerified} role="alert">
          {label.notVerifiedText(formatCount(failed), name)}
        </Note>
      )}
      <Facts
        facts={[
          [label.run, found.run_id ?? label.none],
          [label.questions, formatCount(found.questions)],
          [label.runDigest, <code key="run">{found.run_digest ?? label.none}</code>],
          [label.configDigest, <code key="config">{found.config_digest ?? label.none}</code>],
          [label.root, <code key="root">{found.questions_root ?? label.none}</code>],
        ]}
      />
      <Panel title={label.steps}>
        <StepTable steps={found.steps} />
        <Text size="sm" c="var(--quiet)" maw="44rem">
          {label.worth}
        </Text>
        {found.run_id !== null && (
          <AnchorLink to="/audit" search={{ run: found.run_id }} resetScroll={false} size="sm">
            {label.entriesOfThis}
          </AnchorLink>
        )}
      </Panel>
      <Panel title={label.chain}>
        <Stack gap="xs">
          <Text>{label.chainText}</Text>
          <Command text={`passer verify ${name} --chain NODE --contract ACCOUNT`} />
        </Stack>
      </Panel>
    </>
  );
}
