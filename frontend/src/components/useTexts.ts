import { useState } from "react";
import { Problem } from "@/api/problem";
import { bindText } from "./fields";

/** The texts of a form, and its fields: each shows what the server refused in it until something is typed again. */
export function useTexts<Name extends string>(
  empty: Record<Name, string>,
  error: unknown,
  forget: () => void,
) {
  const [texts, setTexts] = useState(empty);
  const refused = error instanceof Problem ? error.fields : {};
  const field = (name: Name) => ({
    ...bindText(texts[name], (text) => {
      forget();
      setTexts({ ...texts, [name]: text });
    }),
    error: refused[name],
    autoComplete: "off",
  });
  return { texts, field, clear: () => setTexts(empty) };
}
