import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useEffect } from "react";
import { expect, test, vi } from "vitest";
import { client } from "@/api/client";
import { accountQueries, awaitSession } from "@/api/session";
import { renderPart, stubServer } from "@/test-page";
import { SignInGate } from "./SignInGate";

const ALONE = { needs_account: false, account: null, role: "admin", csrf: null };
const STRANGER = { needs_account: true, account: null, role: null, csrf: null };
const MARIA = { needs_account: true, account: "maria", role: "viewer", csrf: "abc" };

test("one person on one machine sees the pages at once", async () => {
  stubServer(() => ALONE);
  await renderPart(<SignInGate>The pages</SignInGate>);
  expect(screen.getByText("The pages")).toBeVisible();
  expect(screen.queryByLabelText(/Password/)).toBeNull();
});

test("where an account is needed, nothing but the form is shown until somebody signs in", async () => {
  let session: object = STRANGER;
  const asked = stubServer(({ method }) => {
    if (method === "POST") session = MARIA;
    return session;
  });
  await renderPart(<SignInGate>The pages</SignInGate>);
  await userEvent.type(await screen.findByLabelText(/Account name/), "maria");
  expect(screen.queryByText("The pages")).toBeNull();
  await userEvent.type(screen.getByLabelText(/Password/), "correct horse battery");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  expect(await screen.findByText("The pages")).toBeVisible();
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toContain("POST /api/v1/session");
});

test("a recovery link opens a form for a new password, then the form to sign in", async () => {
  globalThis.location.hash = "#recover=the-secret";
  const asked = stubServer(({ method }) => (method === "POST" ? 204 : STRANGER));
  await renderPart(<SignInGate>The pages</SignInGate>);
  await userEvent.type(await screen.findByLabelText(/New password/), "a new password");
  await userEvent.click(screen.getByRole("button", { name: "Change password" }));
  expect(await screen.findByLabelText(/Account name/)).toBeVisible();
  expect(globalThis.location.hash).toBe("");
  expect(asked.filter(({ method }) => method === "POST").map(({ path }) => path)).toEqual([
    "/api/v1/session/recovery",
  ]);
});

test("a wrong password is answered where it was typed", async () => {
  stubServer(({ method }) => (method === "POST" ? 401 : STRANGER));
  await renderPart(<SignInGate>The pages</SignInGate>);
  await userEvent.type(await screen.findByLabelText(/Account name/), "maria");
  await userEvent.type(screen.getByLabelText(/Password/), "wrong");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  expect(await screen.findByText(/Refused with 401/)).toBeVisible();
});

test("what changes something repeats the value of the session, what reads does not", async () => {
  stubServer(() => MARIA);
  await renderPart(<SignInGate>The pages</SignInGate>);
  const sent: [string, string | null][] = [];
  const fetch = async (request: Request) => {
    sent.push([request.method, request.headers.get("X-CSRF-Token")]);
    return new Response("{}", { status: 200 });
  };
  await waitFor(async () => {
    await client.POST("/api/v1/jobs/{job_id}/cancel", { params: { path: { job_id: "1" } }, fetch });
    expect(sent.at(-1)).toEqual(["POST", "abc"]);
  });
  await client.GET("/api/v1/jobs", { fetch });
  expect(sent.at(-1)).toEqual(["GET", null]);
});

test("a change that a page sends as soon as it is drawn waits for the value of the session", async () => {
  let answer: (session: object) => void = () => {};
  const session = new Promise<object>((resolve) => {
    answer = resolve;
  });
  const asked: [string, string | null][] = [];
  stubServer(({ path }, { headers }) => {
    asked.push([path, headers.get("X-CSRF-Token")]);
    return path === "/api/v1/session" ? session : {};
  });
  awaitSession();
  const Sends = () => {
    useEffect(() => {
      void client.POST("/api/v1/jobs/{job_id}/cancel", { params: { path: { job_id: "1" } } });
    }, []);
    return "The pages";
  };
  await renderPart(
    <SignInGate>
      <Sends />
    </SignInGate>,
  );
  expect(await screen.findByText("The pages")).toBeVisible();
  expect(asked).toEqual([["/api/v1/session", null]]);
  answer(MARIA);
  await waitFor(() => expect(asked.at(-1)).toEqual(["/api/v1/jobs/1/cancel", "abc"]));
});

test("the form appears as soon as a request is refused because the session is over", async () => {
  let session: object = MARIA;
  stubServer(({ path }) => (path === "/api/v1/session" ? session : 401));
  const { cache } = await renderPart(<SignInGate>The pages</SignInGate>);
  await waitFor(() => expect(cache.getQueryData(accountQueries.session().queryKey)).toEqual(MARIA));
  session = STRANGER;
  await client.GET("/api/v1/jobs", { fetch: globalThis.fetch }).catch(() => null);
  expect(await screen.findByLabelText(/Account name/)).toBeVisible();
});

test.each([
  ["role", /^Your role was changed/],
  ["removed", /^You were removed from a project/],
  [null, /^Your session has ended\. Sign in again/],
])("the form says why the session ended: %s", async (ended_by, said) => {
  let session: object = MARIA;
  stubServer(({ path }) => (path === "/api/v1/session" ? session : 401));
  const { cache } = await renderPart(<SignInGate>The pages</SignInGate>);
  await waitFor(() => expect(cache.getQueryData(accountQueries.session().queryKey)).toEqual(MARIA));
  session = { ...STRANGER, ended_by };
  await client.GET("/api/v1/jobs", { fetch: globalThis.fetch }).catch(() => null);
  expect(await screen.findByRole("status")).toHaveTextContent(said);
});

test("a refusal because of the role asks for the role again, and one of the session is not repeated", async () => {
  let session: object | number = { ...MARIA, role: "researcher" };
  const asked = stubServer(({ path }) => (path === "/api/v1/session" ? session : 403));
  const { cache } = await renderPart(<SignInGate>The pages</SignInGate>);
  const { queryKey } = accountQueries.session();
  await waitFor(() => expect(cache.getQueryData(queryKey)).toEqual(session));
  session = MARIA;
  await client.GET("/api/v1/jobs", { fetch: globalThis.fetch }).catch(() => null);
  await waitFor(() => expect(cache.getQueryData(queryKey)).toEqual(MARIA));
  session = 403;
  const before = asked.length;
  await client.GET("/api/v1/session", { fetch: globalThis.fetch }).catch(() => null);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked).toHaveLength(before + 1);
  expect(screen.getByText("The pages")).toBeVisible();
});

/** A page with a field of its own, whose session ends and which the given account enters again. */
async function typedAndEntered(account: string): Promise<void> {
  let session: object = MARIA;
  stubServer(({ path, method }) => {
    if (path !== "/api/v1/session") return 401;
    if (method === "POST") session = { ...MARIA, account };
    return session;
  });
  const { cache } = await renderPart(
    <SignInGate>
      <input aria-label="Text" />
    </SignInGate>,
  );
  await waitFor(() => expect(cache.getQueryData(accountQueries.session().queryKey)).toEqual(MARIA));
  await userEvent.type(screen.getByLabelText("Text"), "an hour of work");
  session = STRANGER;
  await client.GET("/api/v1/jobs", { fetch: globalThis.fetch }).catch(() => null);
  const name = await screen.findByLabelText(/Account name/);
  expect(name).toHaveValue("maria");
  expect(screen.getByText(/what you typed is kept/)).toBeVisible();
  await userEvent.clear(name);
  await userEvent.type(name, account);
  expect(screen.queryByRole("textbox", { name: "Text" })).toBeNull();
  await userEvent.type(screen.getByLabelText(/Password/), "correct horse battery");
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
}

test("what was typed when the session ended is there after the same account has signed in again", async () => {
  await typedAndEntered("maria");
  expect(await screen.findByRole("textbox", { name: "Text" })).toHaveValue("an hour of work");
});

test("nothing that was typed is left for another account", async () => {
  const reload = vi.spyOn(globalThis.location, "reload").mockImplementation(() => {});
  await typedAndEntered("ivan");
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

test("nothing that was typed is shown to another account that has signed in on another page", async () => {
  const reload = vi.spyOn(globalThis.location, "reload").mockImplementation(() => {});
  let session: object = MARIA;
  stubServer(({ path }) => (path === "/api/v1/session" ? session : 401));
  const { cache } = await renderPart(
    <SignInGate>
      <input aria-label="Text" />
    </SignInGate>,
  );
  await waitFor(() => expect(cache.getQueryData(accountQueries.session().queryKey)).toEqual(MARIA));
  const refused = () => client.GET("/api/v1/jobs", { fetch: globalThis.fetch }).catch(() => null);
  session = STRANGER;
  await refused();
  await screen.findByLabelText(/Account name/);
  session = { ...MARIA, account: "ivan" };
  await refused();
  await waitFor(() => expect(reload).toHaveBeenCalled());
  expect(screen.queryByRole("textbox", { name: "Text" })).toBeNull();
});

/** Another tab of this browser: somebody has signed in or out there. */
function otherTab(): void {
  const tab = new BroadcastChannel("passer.session");
  tab.postMessage(null);
  tab.close();
}

test("a tab whose account signs out in another tab shows nothing, and is reloaded for the next account", async () => {
  const reload = vi.spyOn(globalThis.location, "reload").mockImplementation(() => {});
  let session: object = MARIA;
  stubServer(() => session);
  await renderPart(
    <SignInGate>
      <p>The pages of maria</p>
    </SignInGate>,
  );
  expect(await screen.findByText("The pages of maria")).toBeVisible();
  session = STRANGER;
  otherTab();
  expect(await screen.findByLabelText(/Account name/)).toHaveValue("maria");
  expect(screen.getByText("The pages of maria")).not.toBeVisible();
  session = { ...MARIA, account: "ivan" };
  otherTab();
  await waitFor(() => expect(reload).toHaveBeenCalled());
  expect(screen.getByText("The pages of maria")).not.toBeVisible();
});

test("a tab is reloaded at once where another account takes the place of its own", async () => {
  const reload = vi.spyOn(globalThis.location, "reload").mockImplementation(() => {});
  let session: object = MARIA;
  stubServer(() => session);
  const { cache } = await renderPart(
    <SignInGate>
      <p>The pages of maria</p>
    </SignInGate>,
  );
  await waitFor(() => expect(cache.getQueryData(accountQueries.session().queryKey)).toEqual(MARIA));
  session = { ...MARIA, account: "ivan" };
  otherTab();
  await waitFor(() => expect(reload).toHaveBeenCalled());
});

test("the identity provider opens in another window where something may have been typed", async () => {
  let session: object = { ...MARIA, provider: "the institute" };
  const asked: string[] = [];
  stubServer(async ({ path, method }, request) => {
    if (path === "/api/v1/session") return session;
    if (path !== "/api/v1/session/provider" || method !== "POST") return 401;
    asked.push((await request.json()).next);
    return { url: "https://provider.example/authorize" };
  });
  const assign = vi.fn();
  vi.spyOn(globalThis, "open").mockReturnValue({ location: { assign } } as unknown as Window);
  const { cache } = await renderPart(
    <SignInGate>
      <input aria-label="Text" />
    </SignInGate>,
  );
  await waitFor(() => expect(cache.getQueryData(accountQueries.session().queryKey)).toEqual(session));
  await userEvent.type(screen.getByLabelText("Text"), "an hour of work");
  session = { ...STRANGER, provider: "the institute" };
  await client.GET("/api/v1/jobs", { fetch: globalThis.fetch }).catch(() => null);
  await userEvent.click(await screen.findByRole("button", { name: "Sign in with the institute" }));
  await waitFor(() => expect(assign).toHaveBeenCalledWith("https://provider.example/authorize"));
  expect(asked).toEqual(["/sign-in"]);
  // The other window has signed in.
  session = { ...MARIA, provider: "the institute" };
  otherTab();
  expect(await screen.findByRole("textbox", { name: "Text" })).toHaveValue("an hour of work");
});
