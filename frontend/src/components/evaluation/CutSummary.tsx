import { Button, Group, Stack, Text } from "@mantine/core";
import { Note } from "@/components/Note";
import { formatCount } from "@/components/numbers/format";
import { words } from "@/words";
import { withCut } from "./cut";
import type { Detail } from "./detail";
import type { Gold } from "./gold";
import { cutOf } from "./policy";
import type { MovableCut } from "./useCut";

const label = words.evaluation;

interface Props {
  cut: MovableCut;
  detail: Detail;
  gold: Gold;
}

/** What the line keeps where it stands now, and how many gold passages are among that. */
export function CutSummary({ cut, detail, gold }: Props) {
  if (!cut.restsElsewhere) {
    return (
      <Text size="sm" c="var(--quiet)">
        {goldSentence(cut, detail, gold)} {label.cutKeys}
      </Text>
    );
  }
  const { passages, policy } = detail;
  const [, before = 0] = detail.kept;
  const kept = label.wouldKeep({
    cut: cutOf(withCut(policy, cut.line)),
    kept: formatCount(cut.kept),
    total: formatCount(passages.length),
    before: formatCount(before),
  });
  return (
    <Note>
      <Stack gap="xs">
        <Text size="sm" role="status">
          {kept} {goldSentence(cut, detail, gold)}{" "}
          {cut.kept === passages.length && cut.line.by === "similarity" && label.wouldKeepAll}
        </Text>
        <Text size="sm" c="var(--quiet)">
          {label.cutNoModel}
        </Text>
        <Group>
          <Button variant="default" size="xs" onClick={cut.reset}>
            {label.cutReset}
          </Button>
        </Group>
      </Stack>
    </Note>
  );
}

function goldSentence({ kept }: MovableCut, { passages }: Detail, { ids, total }: Gold): string {
  if (total === null) return label.goldUnknown;
  if (total === 0) return label.goldAbsent;
  const among = passages.slice(0, kept).filter(({ id }) => ids.has(id)).length;
  return label.goldKept(formatCount(among), formatCount(total));
}
