import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderPart, stubServer } from "@/test-page";
import { PublishStudy } from "./PublishStudy";

const DONE = {
  sweep_id: "s",
  digest: "ab".repeat(32),
  recorded_at: "2026-01-05T09:00:00Z",
  testid: "abc",
  is_kept: true,
};
const FILE = `/api/v1/studies/${DONE.digest}`;

async function shown(data?: typeof DONE, studies: object[] = []) {
  stubServer(({ path }) => ({ items: path.includes("/studies") ? studies : [] }));
  const onPublish = vi.fn();
  const publish = { isPending: false, error: null, data, reset: () => {} };
  await renderPart(
    <PublishStudy
      id="s"
      name="Thresholds"
      label="Publish this sweep"
      text="A study."
      publish={publish}
      onPublish={onPublish}
    />,
  );
  return onPublish;
}

const button = () => screen.getByRole("button", { name: "Publish study" });

test("nothing is published before a dialog has said what, and that it stays", async () => {
  const onPublish = await shown();
  await userEvent.click(screen.getByRole("checkbox", { name: /^Include questions/ }));
  await userEvent.click(button());
  const dialog = await screen.findByRole("dialog", { name: "Publish “Thresholds”?" });
  expect(dialog).toHaveTextContent("no texts");
  expect(dialog).toHaveTextContent("This cannot be undone.");
  expect(onPublish).not.toHaveBeenCalled();
  await userEvent.click(within(dialog).getByRole("button", { name: "Cancel" }));
  expect(onPublish).not.toHaveBeenCalled();
  await userEvent.click(button());
  await userEvent.click(
    within(await screen.findByRole("dialog")).getByRole("button", { name: "Publish study" }),
  );
  const body = { title: null, authors: [], licence: null, texts: false, prompts: false };
  expect(onPublish.mock.calls).toEqual([[body, false]]);
});

test("what is published is not published again", async () => {
  await shown(DONE);
  expect(screen.getByText("Study published")).toBeVisible();
  expect(screen.getByRole("link", { name: "Save study" })).toHaveAttribute("href", FILE);
  expect(button()).toBeDisabled();
});

test("a study that was published before a reload is named, and the question says that it stays", async () => {
  await shown(undefined, [{ ...DONE, title: "Nitrogen" }]);
  expect(await screen.findByText("Published before")).toBeVisible();
  expect(screen.getByRole("link", { name: "Nitrogen" })).toHaveAttribute("href", "/audit?of=abc");
  expect(screen.getByRole("link", { name: "Save study" })).toHaveAttribute("href", FILE);
  await userEvent.click(button());
  const dialog = await screen.findByRole("dialog", { name: "Publish “Thresholds”?" });
  expect(dialog).toHaveTextContent("The ledger already has 1 earlier entry, which stays.");
});

test("a study whose files were not kept has no link to save it", async () => {
  await shown(undefined, [{ ...DONE, title: "Nitrogen", is_kept: false }]);
  await screen.findByText("Published before");
  expect(screen.queryByRole("link", { name: "Save study" })).toBeNull();
});

test("what was published just now is not named as earlier", async () => {
  await shown(DONE, [{ ...DONE, title: "Nitrogen" }]);
  await screen.findByText("Study published");
  expect(screen.queryByText("Published before")).toBeNull();
});
