import { MantineProvider, PasswordInput } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { theme } from "./theme";

test("the button that shows a password has a name of the page, which is translated", () => {
  render(
    <MantineProvider theme={theme}>
      <PasswordInput label="Password" />
    </MantineProvider>,
  );
  expect(screen.getByLabelText("Show or hide password")).toBeVisible();
});
