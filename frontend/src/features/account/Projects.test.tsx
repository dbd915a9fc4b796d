import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderPart, stubServer } from "@/test-page";
import { Projects } from "./Projects";

const USERS = [
  { name: "maria", role: "admin", projects: {}, created_at: "2026-01-05T09:00:00Z", signed_in_at: null },
  { name: "ivan", role: null, projects: { litpath: "admin" }, created_at: "2026-01-05T09:00:00Z" },
];
const MEMBERS = [
  { account: "ivan", role: "admin" },
  { account: "maria", role: "admin" },
];

test("a member is removed after a question, and an administrator of all projects cannot be", async () => {
  const asked = stubServer(({ path }) => ({ items: path.endsWith("/members") ? MEMBERS : USERS }));
  await renderPart(<Projects projects={[{ name: "litpath", role: "admin" }]} />);
  await userEvent.click(screen.getByRole("combobox", { name: "Members of project" }));
  await userEvent.click(await screen.findByRole("option", { name: "litpath" }));
  const table = await screen.findByRole("table", { name: "Members of project litpath" });
  const maria = await within(table).findByRole("row", { name: /maria/ });
  expect(await within(maria).findByText("Administrator of all projects")).toBeVisible();
  expect(within(maria).queryByRole("button")).toBeNull();
  await userEvent.click(within(table).getByRole("button", { name: "Remove ivan from the project" }));
  const dialog = await screen.findByRole("dialog", { name: "Remove ivan from the project?" });
  expect(asked.filter(({ method }) => method === "DELETE")).toEqual([]);
  await userEvent.click(within(dialog).getByRole("button", { name: "Remove" }));
  expect(asked.filter(({ method }) => method === "DELETE").map(({ path }) => path)).toEqual([
    "/api/v1/projects/litpath/members/ivan",
  ]);
});
