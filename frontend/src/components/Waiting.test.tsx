import { act, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { renderPart } from "@/test-page";
import { printInLight } from "./printing";
import { Waiting } from "./Waiting";

const print = (moment: "beforeprint" | "afterprint") => act(() => dispatchEvent(new Event(moment)));
const root = document.documentElement;

afterEach(() => root.removeAttribute("data-mantine-color-scheme"));

test("what has not arrived when the page is printed is named, not left empty", async () => {
  await renderPart(<Waiting height={100} />);
  expect(screen.getByRole("status", { name: "Loading" })).toBeVisible();
  print("beforeprint");
  expect(screen.getByText("Not loaded yet when this page was printed.")).toBeVisible();
  print("afterprint");
  expect(screen.getByRole("status", { name: "Loading" })).toBeVisible();
});

test("a dark page is printed in light colours, and is dark again afterwards", () => {
  root.setAttribute("data-mantine-color-scheme", "dark");
  const end = printInLight();
  print("beforeprint");
  expect(root).toHaveAttribute("data-mantine-color-scheme", "light");
  print("afterprint");
  expect(root).toHaveAttribute("data-mantine-color-scheme", "dark");
  end();
});
