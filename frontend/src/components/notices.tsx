import { notifications } from "@mantine/notifications";
import type { Problem } from "@/api/problem";
import { words } from "@/words";
import { Said } from "./Said";

/** Say what went wrong with something that was done; it stays until it is closed. */
export function showProblem(problem: Problem): void {
  notifications.show({
    id: `${problem.status}-${problem.message}`,
    color: "red",
    title: problem.title === problem.message ? undefined : words.errors.kind(problem.title),
    message: <Said text={problem.message} wordings={problem.wordings} />,
    autoClose: false,
    role: "alert",
    closeButtonProps: { "aria-label": words.errors.close },
  });
}

/** Say that something is done. */
export function showDone(title: string, message?: string): void {
  notifications.show({
    title,
    message,
    role: "status",
    closeButtonProps: { "aria-label": words.errors.close },
  });
}
