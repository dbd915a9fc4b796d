import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { formatScore } from "./format";
import { Num } from "./Num";

function show(value: number | null, reason?: string) {
  render(
    <MantineProvider>
      <table>
        <tbody>
          <tr>
            <td>
              <Num value={value} reason={reason} format={formatScore} />
            </td>
          </tr>
        </tbody>
      </table>
    </MantineProvider>,
  );
  return screen.getByRole("cell");
}

test("a value is written by its format", () => {
  expect(show(0.25)).toHaveTextContent(/^0\.2500$/);
});

test("zero is a value", () => {
  expect(show(0)).toHaveTextContent(/^0\.0000$/);
});

test("a missing value says why, on hover and in its name", () => {
  const cell = show(null, "empty_answer");
  expect(cell).toHaveAccessibleName(/no value: The model returned an empty answer\./);
  expect(cell.querySelector("[title]")).toHaveAttribute("title", "The model returned an empty answer.");
  expect(cell).toHaveTextContent("–");
});

test("a sentence of the server stands as its own reason", () => {
  expect(show(null, "The server went away.")).toHaveAccessibleName(/The server went away\./);
});
