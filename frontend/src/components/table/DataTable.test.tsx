import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { renderPart } from "@/test-page";
import type { Column } from "./columns";
import { DataTable, type DataTableProps } from "./DataTable";
import { useSelection } from "./useRows";

interface Row {
  name: string;
  size: number | null;
}

const COLUMNS: Column<Row>[] = [
  { id: "name", label: "Name", value: ({ name }) => name },
  { id: "size", label: "Size", group: "Disk", value: ({ size }) => size, format: (size) => `${size} B` },
  { id: "note", label: "Note", title: "What was noted.", value: () => "", isExtra: true },
];
const ROWS: Row[] = [
  { name: "run 10", size: 3 },
  { name: "Run 2", size: null },
  { name: "run 1", size: 7 },
];

function Sizes(props: Partial<DataTableProps<Row>>) {
  const selection = useSelection();
  return (
    <DataTable
      name="sizes"
      at=""
      label="Sizes"
      columns={COLUMNS}
      rows={ROWS}
      keyOf={({ name }) => name}
      open={({ name }) => ({ to: "/runs/$id", params: { id: name } })}
      {...(props.rows ? {} : { selection })}
      {...props}
    />
  );
}

const names = () => screen.getAllByRole("rowheader").map(({ textContent }) => textContent);
const heading = (name: string) => screen.getByRole("columnheader", { name: new RegExp(name) });
const press = (name: string) => userEvent.click(within(heading(name)).getByRole("button"));

beforeEach(() => localStorage.clear());

test("a heading sorts one way, then the other, then no more; the address and aria-sort say so", async () => {
  const { router } = await renderPart(<Sizes />);
  await press("Size");
  expect(names()).toEqual(["run 1", "run 10", "Run 2"]);
  expect(heading("Size")).toHaveAttribute("aria-sort", "descending");
  expect(router.state.location.search).toEqual({ sort: "-size" });
  await press("Size");
  expect(names()).toEqual(["run 10", "run 1", "Run 2"]);
  expect(heading("Size")).toHaveAttribute("aria-sort", "ascending");
  await press("Size");
  expect(names()).toEqual(["run 10", "Run 2", "run 1"]);
  expect(heading("Size")).not.toHaveAttribute("aria-sort");
  expect(router.state.location.search).toEqual({});
});

test("names begin with the first, and numbers in them count", async () => {
  await renderPart(<Sizes />);
  await press("Name");
  expect(names()).toEqual(["run 1", "Run 2", "run 10"]);
});

test("a table without keys in the address sorts in memory", async () => {
  const { router } = await renderPart(
    <DataTable name="s" label="S" columns={COLUMNS} rows={ROWS} keyOf={({ name }) => name} />,
  );
  await press("Size");
  expect(names()).toEqual(["run 1", "run 10", "Run 2"]);
  expect(router.state.location.search).toEqual({});
});

test("a column that rows are sorted by is shown, even where it was not chosen", async () => {
  await renderPart(<Sizes />);
  expect(screen.queryByRole("columnheader", { name: "Note" })).not.toBeInTheDocument();
  await renderPart(<Sizes />, "/?sort=note");
  expect(heading("Note")).toHaveAttribute("aria-sort", "ascending");
});

test("columns are chosen with their explanations, and the choice is remembered", async () => {
  await renderPart(<Sizes />);
  await userEvent.click(screen.getByRole("button", { name: "Choose columns" }));
  const note = await screen.findByRole("checkbox", { name: /Note/ });
  expect(note).toHaveAccessibleDescription("What was noted.");
  await userEvent.click(note);
  expect(heading("Note")).toBeInTheDocument();
  expect(localStorage.getItem("passer.table.sizes")).toContain('"hidden":[]');
});

test("what belongs together stands under one heading", async () => {
  await renderPart(<Sizes />);
  expect(screen.getByRole("columnheader", { name: "Disk" })).toHaveAttribute("colspan", "1");
  expect(heading("Name")).toHaveAttribute("rowspan", "2");
});

test("the rows that are shown are copied as values, in their order", async () => {
  await renderPart(<Sizes />, "/?sort=-size&find=run 1");
  const write = vi.fn(async () => {});
  vi.spyOn(navigator.clipboard, "writeText").mockImplementation(write);
  screen.getByRole("button", { name: "Copy as CSV" }).click();
  await waitFor(() => expect(write).toHaveBeenCalledWith("Name,Disk: Size\r\nrun 1,7\r\nrun 10,3"));
});

test("ticking never opens a row, pressing it does, and marking text in it does not", async () => {
  const { router } = await renderPart(<Sizes />);
  const box = screen.getByRole("checkbox", { name: "Select run 1" });
  await userEvent.click(box);
  if (!box.closest("label")) throw new Error("There is room around the box.");
  await userEvent.click(box.closest("label") as HTMLElement);
  await userEvent.click(box);
  expect(screen.getByRole("toolbar")).toHaveAccessibleName("1 selected");
  const marked = vi.spyOn(window, "getSelection").mockReturnValue({ toString: () => "7 B" } as Selection);
  await userEvent.click(screen.getByText("7 B"));
  expect(router.state.location.pathname).toBe("/");
  marked.mockReturnValue({ toString: () => "" } as Selection);
  await userEvent.click(screen.getByText("7 B"));
  expect(router.state.location.pathname).toBe("/runs/run 1");
});

test("shift ticks all rows between two", async () => {
  await renderPart(<Sizes />);
  const user = userEvent.setup();
  await user.click(screen.getByRole("checkbox", { name: "Select run 10" }));
  await user.keyboard("{Shift>}");
  await user.click(screen.getByRole("checkbox", { name: "Select run 1" }));
  expect(screen.getByRole("toolbar")).toHaveAccessibleName("3 selected");
});

test("arrows go from a link or a box to the one of the next row", async () => {
  await renderPart(<Sizes />);
  screen.getByRole("link", { name: "run 10" }).focus();
  await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}");
  expect(screen.getByRole("link", { name: "run 1" })).toHaveFocus();
  screen.getByRole("checkbox", { name: "Select run 1" }).focus();
  await userEvent.keyboard("{ArrowUp}");
  expect(screen.getByRole("checkbox", { name: "Select Run 2" })).toHaveFocus();
});

test("a missing value is a dash that says why", async () => {
  const columns = COLUMNS.map((column) => ({ ...column, reason: "too_few" }));
  await renderPart(<Sizes columns={columns} />);
  expect(screen.getByRole("cell", { name: /Too few questions/ })).toHaveTextContent("–");
});

test("of a long table only the rows in view are drawn, and how many there are is said", async () => {
  // A window of 600 px over rows of 30 px.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(30);
  const rows = Array.from({ length: 5000 }, (_, place) => ({ name: `run ${place}`, size: place }));
  await renderPart(<Sizes rows={rows} />);
  expect(screen.getByRole("table", { name: "Sizes" })).toHaveAttribute("aria-rowcount", "5001");
  const drawn = await screen.findAllByRole("rowheader");
  expect(drawn.length).toBeGreaterThan(5);
  expect(drawn.length).toBeLessThan(100);
  expect(drawn[0]?.closest("tr")).toHaveAttribute("aria-rowindex", "2");
});

test("a table without rows speaks of a search only where there is one", async () => {
  const { router } = await renderPart(<Sizes rows={[]} />);
  expect(screen.getByText("No rows")).toBeInTheDocument();
  await router.navigate({ to: ".", search: { find: "x" } as never });
  expect(await screen.findByText("No rows match your search.")).toBeInTheDocument();
});
