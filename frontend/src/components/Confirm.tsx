import { lazy, Suspense, useEffect } from "react";
import { needed } from "@/api/chunks";
import type { Confirmation } from "./ConfirmDialog";

const load = needed(() => import("./ConfirmDialog"));
const Dialog = lazy(load);

/** A dialog whose code is loaded together with the button that opens it. */
export function Confirm({ isOpen, ...confirmation }: Confirmation & { isOpen: boolean }) {
  useEffect(() => {
    // Where this fails, opening the dialog says that the connection is lost.
    load().catch(() => undefined);
  }, []);
  return <Suspense>{isOpen && <Dialog {...confirmation} />}</Suspense>;
}
