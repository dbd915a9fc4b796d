import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Pages } from "./DataTable";

function show(first: number, shown: number, total: number) {
  const onPage = vi.fn();
  render(
    <MantineProvider>
      <Pages first={first} shown={shown} total={total} limit={50} onPage={onPage} />
    </MantineProvider>,
  );
  return onPage;
}

test("a page of several says which rows it shows", async () => {
  const onPage = show(50, 50, 120);
  expect(screen.getByText("51–100 of 120")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Next page" }));
  expect(onPage).toHaveBeenCalledWith(2);
});

test.each([
  [4950, 10, 0],
  [4950, 120, 2],
  [200, 100, 1],
  [50, 0, 0],
])("from row %i of %i, which is none, a button leads to the last page", async (first, total, last) => {
  const onPage = show(first, 0, total);
  expect(screen.getByRole("status")).toHaveTextContent("This page is past the end of the list.");
  await userEvent.click(screen.getByRole("button", { name: "Last page" }));
  expect(onPage).toHaveBeenCalledWith(last);
});
