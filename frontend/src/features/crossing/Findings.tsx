import { Text } from "@mantine/core";
import type { CrossDomain } from "@/api/types";
import { Note } from "@/components/Note";
import { Panel } from "@/components/Panel";
import { Said } from "@/components/Said";
import { Sentences } from "@/components/Sentences";
import { t } from "@/words";

/** What the comparison comes to, in sentences, and what they rest on. */
export function Findings({ crossed }: { crossed: CrossDomain }) {
  const { first, second, pools, statements, control, only_first, only_second, is_comparable } = crossed;
  const apart = [
    only_first.length > 0 &&
      t("Only {study} contains {models}. These models are excluded.", {
        study: first,
        models: only_first.join(", "),
      }),
    only_second.length > 0 &&
      t("Only {study} contains {models}. These models are excluded.", {
        study: second,
        models: only_second.join(", "),
      }),
  ].filter((sentence) => sentence !== false);
  return (
    <Panel title={t("Summary")}>
      {!is_comparable && (
        <Note tone="warn">
          {t(
            "Gains and rankings cannot be compared when the constants differ. Choose joint constants or those of the first study.",
          )}
        </Note>
      )}
      <Sentences size="md" spacing={4} aria-label={t("Summary")} texts={[...statements, ...apart]} />
      <Sentences
        spacing={4}
        aria-label={t("How these figures were computed")}
        c="var(--quiet)"
        texts={pools.map(({ name, rows }) =>
          t("CPS relative to {name}: {rows, plural, one {# row} other {# rows}}.", { name, rows }),
        )}
      />
      {control && (
        <Text size="sm">
          <Text span fw={550} size="sm">
            {t("Other differences")}:
          </Text>{" "}
          <Said text={control} />
        </Text>
      )}
    </Panel>
  );
}
