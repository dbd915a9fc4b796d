import { t } from "@/words";

/** The pages by what people do with them. */
export const GROUPS = [
  {
    name: t("Evaluate"),
    places: [
      { to: "/", label: t("Sweeps"), within: /^\/($|sweeps)/ },
      { to: "/new", label: t("New sweep"), within: /^\/new/ },
      { to: "/retrieval", label: t("Retrieval"), within: /^\/retrieval/ },
      { to: "/chat", label: t("Try a question"), within: /^\/chat/ },
    ],
  },
  {
    name: t("Explore"),
    places: [
      { to: "/runs", label: t("Runs"), within: /^\/runs/ },
      { to: "/compare", label: t("Compare"), within: /^\/compare/ },
      { to: "/arena", label: t("Arena"), within: /^\/arena/ },
      { to: "/analysis", label: t("Analysis"), within: /^\/analysis/ },
    ],
  },
  {
    name: t("Data", {}, "navigation"),
    places: [
      { to: "/collections", label: t("Collections"), within: /^\/collections/ },
      { to: "/datasets", label: t("Datasets"), within: /^\/(datasets|drafts)/ },
    ],
  },
  {
    name: t("Prove"),
    places: [{ to: "/audit", label: t("Audit"), within: /^\/audit/ }],
  },
  {
    name: null,
    places: [{ to: "/settings", label: t("Settings"), within: /^\/(settings|definitions|account)/ }],
  },
] as const;
