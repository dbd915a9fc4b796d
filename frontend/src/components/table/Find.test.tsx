import { MantineProvider } from "@mantine/core";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Find } from "./Find";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const field = (text: string, onFind: (text: string) => void) => (
  <MantineProvider env="test">
    <Find text={text} onFind={onFind} />
  </MantineProvider>
);
const box = () => screen.getByRole("searchbox", { name: "Find" });
const type = (text: string) => fireEvent.change(box(), { target: { value: text } });
const wait = () => act(() => vi.advanceTimersByTime(1000));

test("letters that are typed while the address follows stay, and going back shows the earlier text", () => {
  const onFind = vi.fn();
  const { rerender } = render(field("", onFind));
  type("clo");
  wait();
  type("clover");
  // The address says now what was sent before the last letters.
  rerender(field("clo", onFind));
  expect(box()).toHaveValue("clover");
  wait();
  expect(onFind.mock.calls).toEqual([["clo"], ["clover"]]);
  rerender(field("clover", onFind));
  rerender(field("clo", onFind));
  expect(box()).toHaveValue("clo");
  rerender(field("clover", onFind));
  expect(box()).toHaveValue("clover");
});
