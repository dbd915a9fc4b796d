import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { datasetQueries } from "@/api/materials";
import { ButtonLink } from "@/components/links";
import { Note } from "@/components/Note";
import { t } from "@/words";

/** The next step after documents, until there are questions: have a model draft some, or add your own. */
export function QuestionsNext({ collection }: { collection: string }) {
  const datasets = useQuery(datasetQueries.list());
  if (datasets.data?.items.length !== 0) return null;
  return (
    <Note title={t("Next: questions")} role="status">
      <p>{t("A sweep needs questions. A model can draft them from these documents, or you add your own.")}</p>
      <Group gap="sm">
        <ButtonLink to="/drafts" search={{ collection }} size="xs">
          {t("Draft questions")}
        </ButtonLink>
        <ButtonLink to="/datasets" size="xs" variant="default">
          {t("Add questions")}
        </ButtonLink>
      </Group>
    </Note>
  );
}
