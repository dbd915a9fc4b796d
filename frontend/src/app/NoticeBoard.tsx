import "@mantine/core/styles/Notification.css";
import "@mantine/notifications/styles.css";
import { Notifications } from "@mantine/notifications";

/** Where notices appear; they are kept until it is there. */
export default function NoticeBoard() {
  return <Notifications position="bottom-right" limit={3} />;
}
