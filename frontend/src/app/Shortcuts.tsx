import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { optional } from "@/api/chunks";
import { useShortcuts } from "@/components/shortcuts";

const Dialog = lazy(optional(() => import("./ShortcutsDialog")));

/** Lists the shortcuts when "?" is pressed. */
export function Shortcuts() {
  const [isOpen, { open, close }] = useDisclosure();
  // On most keyboards "?" is typed with Shift, on some without.
  useShortcuts([
    ["shift+?", open],
    ["?", open],
  ]);
  return <Suspense>{isOpen && <Dialog onClose={close} />}</Suspense>;
}
