import { Stack } from "@mantine/core";
import type { Answer } from "@/api/types";
import { formatScore } from "@/components/numbers/format";
import { Panel } from "@/components/Panel";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import { Verbatim } from "./PromptPanel";

/** Passages that a system of others says it used; no collection holds them, so they have no similarity. */
export function OutsidePassages({ passages }: { passages: NonNullable<Answer["passages"]> }) {
  return (
    <Panel
      title={t("Passages")}
      beside={
        <Quiet>
          {t("{count, plural, one {# passage} other {# passages}} reported by the system", {
            count: passages.length,
          })}
        </Quiet>
      }
    >
      <Stack gap="md">
        {passages.map(({ text, document, score }, place) => (
          <Verbatim
            // biome-ignore lint/suspicious/noArrayIndexKey: a system may report the same passage twice
            key={place}
            label={labelOf(place + 1, document, score)}
            text={text}
          />
        ))}
      </Stack>
    </Panel>
  );
}

function labelOf(rank: number, document = "", score: number | null = null): string {
  const about = [document, score !== null && t("score {score}", { score: formatScore(score) })].filter(
    Boolean,
  );
  return [`${rank}`, ...about].join(", ");
}
