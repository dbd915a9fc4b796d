import { Button, Group, Text } from "@mantine/core";
import { useLocation } from "@tanstack/react-router";
import { AnchorLink } from "@/components/links";
import { AddQuestions } from "@/components/material/AddQuestions";
import { useArrival } from "@/components/useArrival";
import { useKept } from "@/components/useKept";
import { t } from "@/words";

const HERE = "new-version";

/** More or corrected questions for a dataset: a file that becomes its newest version. */
export function NewVersion({ name }: { name: string }) {
  // The step "Add questions" of a verdict leads here.
  const isNamed = useLocation({ select: ({ hash }) => hash === HERE });
  const [isOpen, setOpen] = useKept("version.open", isNamed);
  useArrival(isNamed, HERE);
  return (
    <section id={HERE} aria-label={t("New version")}>
      <Group gap="sm">
        <Text size="sm">{t("More or corrected questions")}</Text>
        <Button variant="default" size="xs" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t("Import new version")}
        </Button>
      </Group>
      {isOpen && (
        <>
          <Text size="sm" my="sm" maw="46rem">
            {t(
              "The questions of the file are added to those of the newest version, or replace all of them. To correct some, save them as JSON, edit that file, and replace all. Earlier versions and their sweeps are kept.",
            )}{" "}
            <AnchorLink to="/drafts" search={{}} underline="always">
              {t("New questions from documents")}
            </AnchorLink>
          </Text>
          <AddQuestions dataset={name} onAdded={() => setOpen(false)} />
        </>
      )}
    </section>
  );
}
