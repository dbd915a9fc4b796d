import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { accountQueries } from "@/api/session";
import { renderPart } from "@/test-page";
import { ForRole } from "./ForRole";
import { ButtonLink } from "./links";

const SESSION = { needs_account: true, account: "vera", csrf: "abc", project: "default", projects: [] };

async function shown(session: object | null): Promise<string[]> {
  const { cache } = await renderPart(
    <>
      <ForRole>
        <button type="button">Run</button>
      </ForRole>
      <ForRole least="admin">
        <button type="button">Connect</button>
      </ForRole>
      <ButtonLink to="/new">New sweep</ButtonLink>
      <ButtonLink to="/datasets">Datasets</ButtonLink>
      <ButtonLink to="/account">Account</ButtonLink>
    </>,
  );
  if (session) cache.setQueryData(accountQueries.session().queryKey, session as never);
  await vi.waitFor(() => expect(screen.getAllByRole("link").length).toBeGreaterThan(0));
  await new Promise((resolve) => setTimeout(resolve));
  return [...screen.queryAllByRole("button"), ...screen.queryAllByRole("link")].map(
    ({ textContent }) => textContent,
  );
}

test.each([
  ["viewer", ["Datasets", "Account"]],
  ["researcher", ["Run", "New sweep", "Datasets", "Account"]],
  ["admin", ["Run", "Connect", "New sweep", "Datasets", "Account"]],
  // A member of another project only.
  [null, ["Datasets", "Account"]],
])("nothing is offered that the server would refuse to the role %s", async (role, expected) => {
  const projects = [{ name: "other", role: "admin" }];
  expect(await shown({ ...SESSION, role, projects })).toEqual(expected);
});

test("who is a member of no project is offered the account alone", async () => {
  expect(await shown({ ...SESSION, role: null })).toEqual(["Account"]);
});

test("where nobody signs in, everything is offered", async () => {
  const all = ["Run", "Connect", "New sweep", "Datasets", "Account"];
  expect(await shown({ ...SESSION, account: null, role: "admin" })).toEqual(all);
});

const SOURCES = join(import.meta.dirname, "..");
const OPERATIONS = JSON.parse(readFileSync(join(SOURCES, "../openapi.json"), "utf8")).paths;

/** Hooks of src/api by what they send, if viewers may not send it. */
function refusedHooks(): string[] {
  const files = readdirSync(join(SOURCES, "api")).filter((name) => /^\w+\.ts$/.test(name));
  return files.flatMap((name) =>
    readFileSync(join(SOURCES, "api", name), "utf8")
      .split(/\n(?=export )/)
      .flatMap((part) => {
        const hook = /^export (?:const|function|async function) (\w+)/.exec(part)?.[1];
        const sent = [...part.matchAll(/"(post|put|patch|delete)",\s*"(\/api[^"]*)"/g)];
        const isRefused = sent.some(([, method = "", path = ""]) =>
          /Role: (researcher|admin)\./.test(OPERATIONS[path]?.[method]?.description),
        );
        return hook && isRefused ? [hook] : [];
      }),
  );
}

/** Parts of pages that viewers do not open, and of those of administrators. */
const CLOSED =
  /^features\/(new-sweep|retrieval|chat)\/|^features\/account\/(Projects|Users)|^features\/drafting\/Review|^components\/material\/RetrieverField/;

/** Parts that are drawn only where another one has asked for the role. */
const WITHIN: Record<string, string> = {
  "components/judging/RelevanceGrades.tsx": "features/sweep/AssessmentPanel.tsx",
  "components/judging/StartAssessment.tsx": "features/sweep/Judged.tsx",
  "components/material/AddQuestions.tsx": "components/material/MaterialPage.tsx",
  "components/material/ingest.ts": "components/material/MaterialPage.tsx",
  "components/models/ConnectServer.tsx": "features/settings/Models.tsx",
  "features/analysis/ImportSheets.tsx": "features/analysis/AnalysisPage.tsx",
  "features/arena/ByScore.tsx": "features/arena/ArenaPage.tsx",
  "features/arena/ImportGames.tsx": "features/arena/ArenaPage.tsx",
  "features/arena/NewTournament.tsx": "features/arena/ArenaPage.tsx",
  "features/datasets/RageloImport.tsx": "components/material/MaterialPage.tsx",
  "features/drafting/DraftingForm.tsx": "features/drafting/NewDraftingPage.tsx",
  "features/drafting/FinishForm.tsx": "features/drafting/DraftingPage.tsx",
  "features/rating/Desk.tsx": "features/rating/RatingPage.tsx",
  "features/sweep/EditDetails.tsx": "features/sweep/Actions.tsx",
};

test("every part that sends what viewers may not send asks for the role first", () => {
  const used = new RegExp(`\\b(${refusedHooks().join("|")})\\(`);
  const asks = (path: string) => /ForRole|forRole|useMay\b/.test(readFileSync(join(SOURCES, path), "utf8"));
  const parts = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter(
    (path) => /^(components|features)\/.*\.tsx?$/.test(path) && !path.includes(".test."),
  );
  const sending = parts.filter((path) => used.test(readFileSync(join(SOURCES, path), "utf8")));
  expect(sending.length).toBeGreaterThan(30);
  expect(sending.filter((path) => !CLOSED.test(path) && !asks(WITHIN[path] ?? path))).toEqual([]);
});
