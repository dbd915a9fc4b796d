import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderPart, stubServer } from "@/test-page";
import { Palette } from "./Palette";

test("Escape closes the list of pages, and what had the focus before has it again", async () => {
  stubServer(() => ({ items: [] }));
  await renderPart(
    <>
      <button type="button">Before</button>
      <Palette />
    </>,
  );
  screen.getByRole("button", { name: "Before" }).focus();
  await userEvent.keyboard("{Control>}k{/Control}");
  const field = await screen.findByRole("textbox", { name: /^Page, sweep/ });
  await vi.waitFor(() => expect(field).toHaveFocus());
  await userEvent.keyboard("{Escape}");
  await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await vi.waitFor(() => expect(screen.getByRole("button", { name: "Before" })).toHaveFocus());
});
