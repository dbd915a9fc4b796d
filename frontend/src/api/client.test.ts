import { expect, test, vi } from "vitest";
import { client } from "./client";
import { Problem } from "./problem";

function answer(body: BodyInit, init: ResponseInit) {
  vi.stubGlobal("fetch", async () => new Response(body, init));
}

test("a refusal is thrown as its problem", async () => {
  const refusal = { title: "Not found", status: 404, detail: "There is no sweep 'x'.", errors: [] };
  answer(JSON.stringify(refusal), { status: 404, headers: { "content-type": "application/problem+json" } });
  const asked = client.GET("/api/v1/sweeps/{sweep_id}", { params: { path: { sweep_id: "x" } }, fetch });
  await expect(asked).rejects.toMatchObject({ status: 404, message: "There is no sweep 'x'." });
  await expect(asked).rejects.toBeInstanceOf(Problem);
});

test("a refusal without a body names its status", async () => {
  answer("", { status: 502 });
  const asked = client.GET("/api/v1/system", { fetch });
  await expect(asked).rejects.toMatchObject({ status: 502, message: expect.stringContaining("502") });
});

test("a server that is gone is said in one sentence", async () => {
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("fetch failed");
  });
  const asked = client.GET("/api/v1/system", { fetch });
  await expect(asked).rejects.toMatchObject({
    isOffline: true,
    message: expect.stringContaining("passer serve"),
  });
});

test("a question that was taken back is no problem", async () => {
  vi.stubGlobal("fetch", async () => {
    throw new DOMException("aborted", "AbortError");
  });
  await expect(client.GET("/api/v1/system", { fetch })).rejects.toBeInstanceOf(DOMException);
});
