import { t } from "./index";

export type Role = "viewer" | "researcher" | "admin";

/** What accounts and tokens may do, in ascending order. */
export const ROLES: { value: Role; label: string }[] = [
  { value: "viewer", label: t("Viewer: sees everything") },
  { value: "researcher", label: t("Researcher: also imports, runs and deletes") },
  { value: "admin", label: t("Administrator: also manages servers and accounts") },
];

export const roleName = (role: Role): string =>
  ({ viewer: t("Viewer"), researcher: t("Researcher"), admin: t("Administrator") })[role];
