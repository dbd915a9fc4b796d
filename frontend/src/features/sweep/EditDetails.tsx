import { Button, Checkbox, Group, Modal, Stack, Textarea, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useAnnotateSweep } from "@/api/steering";
import type { SweepDetail } from "@/api/types";
import { Form } from "@/components/Form";
import { bindText, bindTick } from "@/components/fields";
import { ProblemNotice } from "@/components/ProblemNotice";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";

/** Tags in a text with commas between them. */
function tagsOf(text: string): string[] {
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
      <Modal opened={isOpen} onClose={dialog.close} title={t("Details of this sweep")}>
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
  const submit = async () => {
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
    <Form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t("Name")}
          description={t("Empty means {name}", { name: sweep.sweep.name })}
          maxLength={200}
          {...bindText(name, setName)}
          data-autofocus
        />
        <TextInput label={t("Tags")} description={t("Separated by commas")} {...bindText(tags, setTags)} />
        <Textarea label={t("Note")} rows={4} maxLength={10_000} {...bindText(note, setNote)} />
        <Checkbox
          label={t("Archived")}
          description={t("Archived sweeps are not listed with the others. Nothing is deleted.")}
          {...bindTick(archived, setArchived)}
        />
        <Quiet>{t("Results, digests and exports do not depend on these details.")}</Quiet>
        <ProblemNotice error={save.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("Cancel", {}, "dialog")}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t("Save")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
