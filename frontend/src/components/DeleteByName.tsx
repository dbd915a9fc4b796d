import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { Form } from "@/components/Form";
import { bindText } from "@/components/fields";
import { t } from "@/words";
import { ProblemNotice } from "./ProblemNotice";

interface Props {
  name: string;
  /** What is lost, in a sentence. */
  text: string;
  request: { isPending: boolean; error: unknown };
  onDelete: () => void;
}

/** Deleting asks once, for the name. */
export function DeleteByName({ name, text, request, onDelete }: Props) {
  const [asking, question] = useDisclosure();
  const [typed, setTyped] = useState("");
  const open = () => {
    setTyped("");
    question.open();
  };
  const submit = () => {
    if (typed === name) onDelete();
  };
  return (
    <>
      <Button variant="default" onClick={open}>
        {t("Delete")}
      </Button>
      <Modal opened={asking} onClose={question.close} title={t("Delete {name}?", { name })}>
        <Form onSubmit={submit}>
          <Stack>
            <Text>{text}</Text>
            <TextInput
              label={t("Type {name} to confirm", { name })}
              {...bindText(typed, setTyped)}
              autoComplete="off"
              data-autofocus
            />
            <ProblemNotice error={request.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={question.close}>
                {t("Cancel", {}, "dialog")}
              </Button>
              <Button type="submit" color="red.9" disabled={typed !== name} loading={request.isPending}>
                {t("Delete")}
              </Button>
            </Group>
          </Stack>
        </Form>
      </Modal>
    </>
  );
}
