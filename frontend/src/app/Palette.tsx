import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { lazy, Suspense } from "react";
import { optional } from "@/api/chunks";

const Dialog = lazy(optional(() => import("./PaletteDialog")));

/** Goes to any page by its name. */
export function Palette() {
  const [isOpen, { open, close }] = useDisclosure();
  // Also while something is typed: with Ctrl it types nothing.
  useHotkeys([["mod+K", open]], []);
  return <Suspense>{isOpen && <Dialog onClose={close} />}</Suspense>;
}
