import { Button, Checkbox, Group, Modal, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { useAnnotateSweep } from "@/api/sweeps";
import type { SweepDetail } from "@/api/types";
import { ProblemNotice } from "@/components/ProblemNotice";
import { t } from "@/words";

/** Tags in a text with commas between them. */
export function tagsOf(text: string): string[] {
  return text
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
}

/** Rename, tag, annotate or archive the sweep. */
export function EditDetails({ sweep }: { sweep: SweepDetail }) {
  const [isOpen, dialog] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {t("Edit details")}
      </Button>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        title={t("Details of this sweep")}
        closeButtonProps={{ "aria-label": t("Close") }}
      >
        <DetailsForm sweep={sweep} onClose={dialog.close} />
      </Modal>
    </>
  );
}

function DetailsForm({ sweep, onClose }: { sweep: SweepDetail; onClose: () => void }) {
  const { annotation } = sweep;
  const [name, setName] = useState(sweep.name);
  const [tags, setTags] = useState(annotation.tags.join(", "));
  const [note, setNote] = useState(annotation.note);
  const [archived, setArchived] = useState(annotation.archived);
  const save = useAnnotateSweep();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const given = name.trim();
    const body = {
      name: given === "" || given === sweep.sweep.name ? null : given,
      tags: tagsOf(tags),
      note,
      archived,
    };
    const saved = await save
      .mutateAsync({ params: { path: { sweep_id: sweep.id } }, body })
      .catch(() => null);
    if (saved) onClose();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t("Name")}
          description={t("Empty: {name}", { name: sweep.sweep.name })}
          maxLength={200}
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
          data-autofocus
        />
        <TextInput
          label={t("Tags")}
          description={t("Separated by commas")}
          value={tags}
          onChange={({ currentTarget: { value } }) => setTags(value)}
        />
        <Textarea
          label={t("Note")}
          rows={4}
          maxLength={10_000}
          value={note}
          onChange={({ currentTarget: { value } }) => setNote(value)}
        />
        <Checkbox
          label={t("Archived")}
          description={t("Archived sweeps are not listed with the others. Nothing is deleted.")}
          checked={archived}
          onChange={({ currentTarget: { checked } }) => setArchived(checked)}
        />
        <Text size="sm" c="var(--quiet)">
          {t("Results, digests and exports do not depend on these details.")}
        </Text>
        {save.error != null && <ProblemNotice error={save.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("Cancel", {}, "dialog")}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t("Save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
