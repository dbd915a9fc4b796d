import { useNavigate, useSearch } from "@tanstack/react-router";

/** The shown parts of a question, as the address of each page with a question states them. */
export interface View {
  rest?: "shown" | undefined;
  marks?: "off" | "on" | undefined;
  cut?: number | undefined;
}

/** The view in the address, and a way to change it without leaving the page. */
export function useView(): [View, (change: (view: View) => View) => void] {
  const view: View = useSearch({ strict: false });
  const navigate = useNavigate();
  const put = (change: (view: View) => View) =>
    navigate({
      to: ".",
      search: (search: object) => ({ ...search, ...change(search) }),
      replace: true,
      resetScroll: false,
    });
  return [view, put];
}
