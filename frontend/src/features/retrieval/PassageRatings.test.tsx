import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import type { QuestionRequest, RankingParts } from "@/api/types";
import { renderPart, stubServer } from "@/test-page";
import { PassageRatings } from "./PassageRatings";

const BODY = { dataset: "farm", question_id: "q", collection: "soil" } as QuestionRequest;
const RANKINGS = [
  { passages: [{ passage: { id: "p", document: "clover.md", number: 0, text: "Clover fixes nitrogen." } }] },
] as RankingParts[];

async function opened(account: string | null) {
  const sent: unknown[] = [];
  stubServer(async ({ method, path }, request) => {
    if (path === "/api/v1/session") return { account, role: "researcher" };
    if (method === "GET") return { name: "farm by people", grades: {} };
    sent.push(await request.json());
    return { name: "farm by people" };
  });
  await renderPart(<PassageRatings body={BODY} rankings={RANKINGS} />);
  await userEvent.click(screen.getByRole("button", { name: "Rate these passages" }));
  return sent;
}

test("who is signed in rates passages under the name of the account, and is asked for no other", async () => {
  const sent = await opened("maria");
  const grade = await screen.findByRole("radio", { name: "3 whole answer" });
  await waitFor(() => expect(grade).toBeEnabled());
  expect(screen.queryByLabelText("Name of the rater")).toBeNull();
  await userEvent.click(grade);
  const rated = { ...BODY, passage_id: "p", rater: "maria", grade: 3 };
  await waitFor(() => expect(sent).toEqual([rated]));
});

test("without accounts a rater writes a name first", async () => {
  const sent = await opened(null);
  const name = await screen.findByLabelText("Name of the rater");
  expect(screen.getByRole("radio", { name: "1 related" })).toBeDisabled();
  await userEvent.type(name, " Ana ");
  await userEvent.click(screen.getByRole("radio", { name: "1 related" }));
  await waitFor(() => expect(sent).toEqual([{ ...BODY, passage_id: "p", rater: "Ana", grade: 1 }]));
});
