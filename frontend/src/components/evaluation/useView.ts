import { useNavigate, useSearch } from "@tanstack/react-router";

/** What of a question is shown, as it stands in the address of every page that shows one. */
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
