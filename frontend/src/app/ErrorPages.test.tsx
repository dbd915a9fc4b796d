import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { offline } from "@/api/client";
import { renderPart, stubServer } from "@/test-page";
import { CrashPage } from "./ErrorPages";

const reload = vi.fn();

beforeEach(() => {
  reload.mockClear();
  vi.spyOn(window.location, "reload").mockImplementation(reload);
});
afterEach(() => {
  vi.useRealTimers();
});

test("a page whose code does not come says that the server does not answer", async () => {
  await renderPart(<CrashPage error={offline()} />);
  expect(screen.getByRole("alert")).toHaveTextContent("passer serve");
  expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent("Loading");
});

test("trying again reloads only when the server answers: without it the browser's error page would come", async () => {
  stubServer(() => 502);
  await renderPart(<CrashPage error={offline()} />);
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(reload).not.toHaveBeenCalled();
  vi.stubGlobal("fetch", async () => new Response("{}"));
  await userEvent.click(screen.getByRole("button", { name: "Retry" }));
  expect(reload).toHaveBeenCalledOnce();
});

test("the page comes by itself once a server that was away is back", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let isBack = false;
  vi.stubGlobal("fetch", async () => new Response("{}", { status: isBack ? 200 : 502 }));
  await renderPart(<CrashPage error={offline()} />);
  await vi.advanceTimersByTimeAsync(4100);
  expect(reload).not.toHaveBeenCalled();
  isBack = true;
  await vi.advanceTimersByTimeAsync(2100);
  expect(reload).toHaveBeenCalled();
});

test("a page is not reloaded for ever while the server was never away", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.stubGlobal("fetch", async () => new Response("{}"));
  await renderPart(<CrashPage error={offline()} />);
  await vi.advanceTimersByTimeAsync(6100);
  expect(reload).not.toHaveBeenCalled();
});

test("any other failure of a page asks for a reload", async () => {
  await renderPart(<CrashPage error={new Error("x is undefined")} />);
  await userEvent.click(screen.getByRole("button", { name: "Reload page" }));
  expect(reload).toHaveBeenCalledOnce();
});
