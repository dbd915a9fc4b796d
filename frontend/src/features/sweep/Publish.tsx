import { Anchor, Button, Group, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Problem } from "@/api/problem";
import { inProject } from "@/api/project";
import { usePublish } from "@/api/sweeps";
import type { SweepDetail } from "@/api/types";
import { Note } from "@/components/Note";
import { ProblemNotice } from "@/components/ProblemNotice";
import { t } from "@/words";

const NOTHING = { title: "", authors: "", licence: "" };

/** Enters the whole sweep in the ledger, and offers it as one file. */
export function Publish({ sweep }: { sweep: SweepDetail }) {
  const [typed, setTyped] = useState(NOTHING);
  const publish = usePublish();
  const problem = publish.error instanceof Problem ? publish.error : null;
  const field = (name: keyof typeof NOTHING) => ({
    value: typed[name],
    error: problem?.fields[name],
    autoComplete: "off",
    onChange: (event: { currentTarget: { value: string } }) => {
      publish.reset();
      setTyped({ ...typed, [name]: event.currentTarget.value });
    },
  });
  const authors = typed.authors
    .split(";")
    .map((name) => name.trim())
    .filter(Boolean);
  const title = typed.title.trim() || null;
  const licence = typed.licence.trim() || null;
  const link = () => {
    const query = new URLSearchParams(authors.map((author) => ["author", author]));
    if (title) query.set("title", title);
    if (licence) query.set("licence", licence);
    return inProject(`/api/v1/sweeps/${encodeURIComponent(sweep.id)}/study?${query}`);
  };
  const submit = () => {
    const params = { path: { sweep_id: sweep.id } };
    publish.mutate({ params, body: { title, authors, licence } });
  };
  return (
    <Stack component="section" aria-label={t("Publish this sweep")} gap="xs">
      <Text maw="44rem">
        {t(
          "A study is the whole sweep in one file: all runs, the table, the verdict and how to cite it. Anyone can compute the table again from the records. Publishing enters its digest in the ledger.",
        )}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 3 }} maw="44rem">
        <TextInput label={t("Title")} placeholder={sweep.sweep.name} {...field("title")} />
        <TextInput label={t("Authors, separated by semicolons")} {...field("authors")} />
        <TextInput label={t("Licence (SPDX)")} placeholder="CC-BY-4.0" {...field("licence")} />
      </SimpleGrid>
      <Group>
        <Button loading={publish.isPending} onClick={submit}>
          {t("Publish study")}
        </Button>
      </Group>
      {publish.error !== null && <ProblemNotice error={publish.error} />}
      {publish.data && (
        <Note title={t("Study published")} role="status">
          <Stack gap={4} align="flex-start">
            <Text size="sm" style={{ overflowWrap: "anywhere" }}>
              {t("Study digest: {digest}", { digest: publish.data.digest })}
            </Text>
            <Anchor size="sm" href={link()} download>
              {t("Save study")}
            </Anchor>
          </Stack>
        </Note>
      )}
    </Stack>
  );
}
