import { useQuery } from "@tanstack/react-query";
import { systemQueries } from "@/api/system";
import type { ModelServer } from "@/api/types";
import { t } from "@/words";
import { serverName } from "./serverName";
import { BUILT_IN, modelValue } from "./value";

interface Group {
  group: string;
  items: { value: string; label: string }[];
}

/** The models of every server, grouped by server; what is chosen stays listed while its server is away. */
export function useModelChoices(chosen: readonly string[]) {
  const query = useQuery(systemQueries.models());
  const servers = query.data?.items ?? [];
  const groups = servers.map(groupOf).filter(({ items }) => items.length > 0);
  if (servers.length === 0) {
    groups.push({ group: t("Built in"), items: [{ value: BUILT_IN, label: t("Extractive reader") }] });
  }
  const known = new Set(groups.flatMap(({ items }) => items.map(({ value }) => value)));
  const others = chosen.filter((value) => value !== "" && !known.has(value));
  if (others.length > 0) {
    groups.push({ group: t("Not available now"), items: others.map((value) => ({ value, label: value })) });
  }
  return { groups, away: servers.filter(({ problem }) => problem != null), query };
}

/** The choices of models that write or judge; the extractive reader copies sentences and can do neither. */
export function useWritingModels(chosen: readonly string[]) {
  const { groups } = useModelChoices(chosen);
  return groups
    .map(({ group, items }) => ({ group, items: items.filter(({ value }) => value !== BUILT_IN) }))
    .filter(({ items }) => items.length > 0);
}

function groupOf(server: ModelServer): Group {
  const { provider, connection = null, address, models } = server;
  return {
    group: address ? `${serverName(server)} (${address})` : serverName(server),
    items: models.map(({ name, parameter_size, quantization, context_length, for_trials }) => {
      const about = [
        parameter_size,
        quantization,
        context_length && t("{count, number} tokens", { count: context_length }),
        for_trials && t("for testing only"),
      ].filter(Boolean);
      const label = provider === "extractive" ? t("Extractive reader") : name;
      return {
        value: modelValue({ provider, name, connection }),
        label: about.length > 0 ? `${label} (${about.join(", ")})` : label,
      };
    }),
  };
}
