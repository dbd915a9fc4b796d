import { type APIRequestContext, expect } from "@playwright/test";

/** Work that takes seconds may take minutes beside other tests. */
const WITHIN_MS = 240_000;

export const EXAMPLE = "biodiversity-policy";

/** The example's documents and questions, in. */
export async function loadExample(request: APIRequestContext): Promise<void> {
  const accepted = await (await request.post(`/api/v1/examples/${EXAMPLE}`)).json();
  const state = async () => (await (await request.get(`/api/v1/jobs/${accepted.job_id}`)).json()).state;
  await expect.poll(state, { timeout: WITHIN_MS }).toBe("finished");
}

/** A collection of one passage and a dataset of two questions about it, both of this name: a tenth of the example's work. */
export async function loadOwn(request: APIRequestContext, name: string): Promise<void> {
  const text = "Clover fixes nitrogen from the air. Copper is limited to 28 kilograms in seven years.";
  const files = { name: "soil.txt", mimeType: "text/plain", buffer: Buffer.from(text) };
  const taken = await request.post(`/api/v1/collections/${name}/documents`, { multipart: { files } });
  const { job_id } = await taken.json();
  const rows = [
    { id: "q1", question: "What fixes nitrogen?", reference: "Clover fixes nitrogen from the air." },
    { id: "q2", question: "How much copper is allowed?", reference: "28 kilograms in seven years." },
  ];
  const file = {
    name: `${name}.json`,
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(rows)),
  };
  const imported = await request.post("/api/v1/datasets", { multipart: { name, file } });
  expect(imported.status()).toBe(201);
  const state = async () => (await (await request.get(`/api/v1/jobs/${job_id}`)).json()).state;
  await expect.poll(state, { timeout: WITHIN_MS }).toBe("finished");
}

/** A small sweep of the example, run to its end; its id. */
export async function finishedSweep(
  request: APIRequestContext,
  name: string,
  questions = 8,
  model?: string,
): Promise<string> {
  const created = await request.post("/api/v1/sweeps", {
    data: {
      name,
      config: {
        dataset: EXAMPLE,
        collection: EXAMPLE,
        questions,
        ...(model ? { model: { provider: "ollama", name: model } } : {}),
      },
      axes: { min_similarity: [0.4, 0.6] },
      baseline: { mode: "normal", k: 10 },
    },
  });
  expect(created.status()).toBe(201);
  const { id } = await created.json();
  await untilFinished(request, id);
  return id;
}

/** While a sweep runs, its page also says of runs that they are finished. */
export async function untilFinished(request: APIRequestContext, sweepId: string): Promise<void> {
  const state = async () => (await (await request.get(`/api/v1/sweeps/${sweepId}`)).json()).state;
  await expect.poll(state, { timeout: WITHIN_MS }).toBe("finished");
}
