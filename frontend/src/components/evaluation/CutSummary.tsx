import { Button, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Note } from "@/components/Note";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import { withCut } from "./cut";
import type { Detail } from "./detail";
import type { Gold } from "./gold";
import { cutOf } from "./policy";
import type { MovableCut } from "./useCut";

interface Props {
  cut: MovableCut;
  detail: Detail;
  gold: Gold;
  again?: ((policy: Detail["policy"]) => ReactNode) | undefined;
}

/** The passages that the line keeps at its present place, and the number of gold passages among them. */
export function CutSummary({ cut, detail, gold, again }: Props) {
  if (!cut.restsElsewhere) {
    return (
      <Quiet>
        {goldSentence(cut, detail, gold)}{" "}
        {t("Drag the dashed line, or press ↑ and ↓, to see how many passages another setting keeps.")}
      </Quiet>
    );
  }
  const { passages, policy } = detail;
  const [, before = 0] = detail.kept;
  const kept = t(
    "{cut}: {kept, number} of {total, plural, one {# passage} other {# passages}} kept (this run: {before, number}).",
    { cut: cutOf(withCut(policy, cut.line)), kept: cut.kept, total: passages.length, before },
  );
  return (
    <Note>
      <Stack gap="xs">
        <Text size="sm" role="status">
          {kept} {goldSentence(cut, detail, gold)}{" "}
          {cut.kept === passages.length &&
            cut.line.by === "similarity" &&
            t("This setting keeps all retrieved passages. There may be more below the retrieved depth.")}
        </Text>
        <Quiet>
          {t("The answer and scores on this page are those of the run. Moving the line calls no model.")}
        </Quiet>
        <Group>
          <Button variant="default" size="xs" onClick={cut.reset}>
            {t("Reset to run setting")}
          </Button>
        </Group>
        {again?.(withCut(policy, cut.line))}
      </Stack>
    </Note>
  );
}

function goldSentence({ kept }: MovableCut, { passages }: Detail, { ids, total }: Gold): string {
  if (total === null) return t("The question has no gold passages.");
  if (total === 0) return t("The collection contains none of the question’s gold passages.");
  const among = passages.slice(0, kept).filter(({ id }) => ids.has(id)).length;
  return t("Gold passages kept: {kept, number} of {total, number}.", { kept: among, total });
}
