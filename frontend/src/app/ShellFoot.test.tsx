import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderPart, stubServer } from "@/test-page";
import ShellFoot from "./ShellFoot";

const SESSION = { needs_account: true, account: "vera", csrf: "abc", project: "default", projects: [] };

test.each([
  ["viewer", 1],
  ["researcher", 0],
])("a viewer reads before any form that it cannot be sent (%s)", async (role, count) => {
  stubServer(({ path }) => (path === "/api/v1/session" ? { ...SESSION, role } : 404));
  await renderPart(<ShellFoot />);
  await screen.findByText("Signed in as vera");
  expect(screen.queryAllByText(/you can read everything, but not change it/)).toHaveLength(count);
});

test("the list of components takes the focus, and Escape gives it back", async () => {
  const part = { name: "chroma", ok: true, needed: true, is_configured: true, detail: "1 collection" };
  stubServer(({ path }) =>
    path === "/api/v1/session" ? { ...SESSION, role: "viewer" } : { parts: [part], version: "1" },
  );
  await renderPart(<ShellFoot />);
  const opener = await screen.findByRole("button", { name: "All components available" });
  await userEvent.click(opener);
  const list = await screen.findByRole("dialog");
  await vi.waitFor(() => expect(list).toHaveFocus());
  await userEvent.keyboard("{Escape}");
  await vi.waitFor(() => expect(opener).toHaveFocus());
});
