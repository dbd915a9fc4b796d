import { Modal } from "@mantine/core";
import { useFocusBefore } from "@/components/focus";
import { ShortcutList } from "@/components/ShortcutList";
import { t } from "@/words";

/** What "?" opens. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  useFocusBefore();
  return (
    <Modal opened onClose={onClose} title={t("Keyboard shortcuts")}>
      <ShortcutList />
    </Modal>
  );
}
