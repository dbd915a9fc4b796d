import type * as v from "valibot";
import { expectTypeOf, test } from "vitest";
import type { Model, Retriever as Stored } from "@/api/types";
import type { model, Retriever } from "./retriever-form";

// The compiler compares them, so `npm run check` names a form or a provider that only one side has.
test("the verifier reads every form of retriever and every provider that a sweep can have", () => {
  expectTypeOf<Retriever["form"]>().toEqualTypeOf<Stored["form"]>();
  expectTypeOf<v.InferOutput<typeof model>["provider"]>().toEqualTypeOf<NonNullable<Model["provider"]>>();
});
