import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useFocusBefore } from "./focus";

export interface Confirmation {
  title: string;
  text: string;
  /** The choice that changes nothing. */
  keep: string;
  confirm: string;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be undone. */
export default function ConfirmDialog({ title, text, keep, confirm, onConfirm, onClose }: Confirmation) {
  useFocusBefore();
  return (
    <Modal opened onClose={onClose} title={title}>
      <Stack>
        <Text>{text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {keep}
          </Button>
          <Button color="red.9" onClick={onConfirm}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
