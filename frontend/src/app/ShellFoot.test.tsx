import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
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
