import type { NotificationData } from "@mantine/notifications";
import { optional } from "@/api/chunks";
import type { Problem } from "@/api/problem";
import { t } from "@/words";
import { ServerText } from "./ServerText";

const board = optional(() => import("@mantine/notifications"));

/** Notices wait in their store until the board that shows them is loaded. */
async function show(notice: NotificationData): Promise<void> {
  const { notifications } = await board();
  notifications.show(notice);
}

/** Show the error of an action; it stays until it is closed. */
export function showProblem(problem: Problem): void {
  void show({
    id: `${problem.status}-${problem.message}`,
    color: "red",
    title: problem.title === problem.message ? undefined : problem.title,
    message: <ServerText text={problem.message} />,
    autoClose: false,
    role: "alert",
    closeButtonProps: { "aria-label": t("Close") },
  });
}

/** Show a warning about an action; it stays until it is closed. */
export function showWarning(line: string): void {
  void show({
    id: line,
    color: "yellow",
    message: <ServerText text={line} />,
    autoClose: false,
    role: "alert",
    closeButtonProps: { "aria-label": t("Close") },
  });
}

/** Show that an action succeeded. */
export function showDone(title: string, message?: string): void {
  void show({ title, message, role: "status", closeButtonProps: { "aria-label": t("Close") } });
}
