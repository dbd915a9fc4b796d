import type { NotificationData } from "@mantine/notifications";
import { optional } from "@/api/chunks";
import type { Problem } from "@/api/problem";
import { t } from "@/words";
import { ServerText } from "./ServerText";

const board = optional(() => import("@mantine/notifications"));

/** Notices wait in their store until the board that shows them is loaded. */
async function show(notice: NotificationData): Promise<void> {
  const { notifications } = await board();
  notifications.show({ closeButtonProps: { "aria-label": t("Close") }, ...notice });
}

/** Show what a reader must see; it stays until it is closed. */
function showAlert(id: string, color: string, text: string, title?: string): void {
  void show({ id, color, title, message: <ServerText text={text} />, autoClose: false, role: "alert" });
}

/** Show the error of an action. */
export function showProblem({ status, title, message }: Problem): void {
  showAlert(`${status}-${message}`, "red", message, title === message ? undefined : title);
}

/** Show a warning about an action. */
export function showWarning(line: string): void {
  showAlert(line, "yellow", line);
}

/** Show that an action succeeded. */
export function showDone(title: string, message?: string): void {
  void show({ title, message, role: "status" });
}
