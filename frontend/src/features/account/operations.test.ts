import { expect, test } from "vitest";
import { operationName } from "./operations";

test("an operation is named in words, a command as it is typed", () => {
  expect(operationName({ via: "session", operation: "delete_dataset" })).toBe("Delete a dataset");
  expect(operationName({ via: "command", operation: "users add" })).toBe("passer users add");
  expect(operationName({ via: "token", operation: "of_another_version" })).toBe("of_another_version");
});
