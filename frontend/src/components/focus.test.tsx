import { MantineProvider } from "@mantine/core";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from "@tanstack/react-router";
import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { expectPage, NEWS } from "./focus";
import { PageHead } from "./PageHead";

/** Two pages, each with a heading; the second keeps its button from one question to the next. */
async function show() {
  const root = createRootRoute({
    component: () => (
      <MantineProvider env="test">
        <a href="/runs">Runs</a>
        <p id={NEWS} />
        <main tabIndex={-1}>
          <Outlet />
        </main>
      </MantineProvider>
    ),
  });
  const runs = createRoute({
    getParentRoute: () => root,
    path: "/runs",
    component: () => <PageHead title="Runs" />,
  });
  const question = createRoute({
    getParentRoute: () => root,
    path: "/questions/$number",
    component: function Question() {
      const { number } = question.useParams() as { number: string };
      return <PageHead title={`Question ${number}`} actions={<button type="button">Next</button>} />;
    },
  });
  const router = createRouter({
    routeTree: root.addChildren([runs, question]),
    history: createMemoryHistory({ initialEntries: ["/runs"] }),
  });
  await act(() => router.load());
  render(<RouterProvider router={router as never} />);
  const go = async (to: string) => {
    expectPage();
    await act(() => router.navigate({ to } as never));
  };
  return { go, news: () => document.getElementById(NEWS)?.textContent };
}

test("the first page leaves the focus where the browser puts it", async () => {
  await show();
  expect(document.body).toHaveFocus();
});

test("after a navigation the heading of the new page has the focus", async () => {
  const { go, news } = await show();
  await userEvent.tab();
  expect(screen.getByRole("link")).toHaveFocus();
  await go("/questions/1");
  expect(screen.getByRole("heading", { name: "Question 1" })).toHaveFocus();
  expect(news()).toBe("");
});

test("a control that is still there keeps the focus, and the page is announced", async () => {
  const { go, news } = await show();
  await go("/questions/1");
  await userEvent.click(screen.getByRole("button", { name: "Next" }));
  await go("/questions/2");
  expect(screen.getByRole("button", { name: "Next" })).toHaveFocus();
  expect(news()).toBe("Question 2");
});
