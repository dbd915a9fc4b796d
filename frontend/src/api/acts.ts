import { useQueryClient } from "@tanstack/react-query";
import { api } from "./client";

type Act = "cancel" | "pause" | "resume" | "retry";

/** What a person does to one sweep, or to one of its runs; whatever comes of it is looked up again. */
export function useActs(id: string, run?: string) {
  const cache = useQueryClient();
  const steer = api.useMutation("post", "/api/v1/sweeps/{sweep_id}/{act}", {
    onSettled: () => cache.invalidateQueries(),
  });
  const query = run === undefined ? {} : { run_id: [run] };
  return {
    busy: steer.isPending ? steer.variables.params.path.act : null,
    steer: (act: Act) => steer.mutate({ params: { path: { sweep_id: id, act }, query } }),
  };
}
