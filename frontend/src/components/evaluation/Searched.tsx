import { List, Text } from "@mantine/core";
import type { Rewriting } from "@/api/types";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";

const REASONS: Record<NonNullable<Rewriting["reason"]>, string> = {
  "no-reply": t("the model gave no reply"),
  unusable: t("the reply contained no line of usable length"),
  "cut-off": t("the reply was cut off at the length limit"),
  "too-long": t("the question is too long for the model"),
  "no-term": t("the question contains no term of the map"),
  "nothing-new": t("the model only repeated the question"),
};

/** The texts that were searched for in place of the question. */
export function Searched({ rewriting }: { rewriting: Rewriting }) {
  const { asked, dropped, reason } = rewriting;
  if (reason)
    return (
      <Text size="sm">{t("Only the question was searched for: {reason}.", { reason: REASONS[reason] })}</Text>
    );
  return (
    <div>
      <Text size="sm">{t("Searched for:")}</Text>
      <List size="sm">
        {asked.map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
      {dropped > 0 && (
        <Quiet>
          {t("{n, plural, one {# repeated variation was} other {# repeated variations were}} dropped.", {
            n: dropped,
          })}
        </Quiet>
      )}
    </div>
  );
}
