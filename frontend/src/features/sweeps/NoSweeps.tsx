import { Group } from "@mantine/core";
import { EmptyState } from "@/components/EmptyState";
import { Examples } from "@/components/Examples";
import { ForRole } from "@/components/ForRole";
import { ButtonLink } from "@/components/links";
import { t } from "@/words";

/** In place of the list while there is no sweep: what to do next. */
export default function NoSweeps() {
  return (
    <EmptyState
      title={t("No sweeps yet")}
      text={t(
        "A sweep needs documents and questions with reference answers. Use your own files, or load an example with both. A model can draft questions from your documents.",
      )}
    >
      <ForRole>
        <Group gap="sm">
          <ButtonLink to="/new">{t("Create sweep")}</ButtonLink>
          <ButtonLink to="/drafts" variant="default">
            {t("Draft questions")}
          </ButtonLink>
        </Group>
      </ForRole>
      <Examples />
    </EmptyState>
  );
}
