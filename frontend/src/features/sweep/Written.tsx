import { Group, Text } from "@mantine/core";
import type { SweepDetail } from "@/api/types";
import { AnchorLink } from "@/components/links";
import { t } from "@/words";
import classes from "./Written.module.css";

/** What people wrote about the sweep: its tags, each of which lists the sweeps that have it, and its note. */
export function Written({ sweep: { annotation } }: { sweep: SweepDetail }) {
  const { tags, note, archived } = annotation;
  if (tags.length === 0 && note === "" && !archived) return null;
  return (
    <section aria-label={t("Details")}>
      <Group gap="xs">
        {archived && <span className={classes.tag}>{t("Archived")}</span>}
        {tags.map((tag) => (
          <AnchorLink
            key={tag}
            to="/"
            search={{ tag, ...(archived ? { archived: "yes" } : {}) }}
            className={classes.tag ?? ""}
          >
            {tag}
          </AnchorLink>
        ))}
      </Group>
      {note && (
        <Text mt="xs" maw="44rem" className={classes.note ?? ""}>
          {note}
        </Text>
      )}
    </section>
  );
}
