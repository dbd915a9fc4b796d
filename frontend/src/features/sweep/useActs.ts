import { useQueryClient } from "@tanstack/react-query";
import { api } from "@/api/client";

type Act = "cancel" | "pause" | "resume" | "retry";

/** What a person does to one sweep; whatever comes of it is looked up again. */
export function useActs(id: string) {
  const cache = useQueryClient();
  const steer = api.useMutation("post", "/api/v1/sweeps/{sweep_id}/{act}", {
    onSettled: () => cache.invalidateQueries(),
  });
  return {
    busy: steer.isPending ? steer.variables.params.path.act : null,
    steer: (act: Act) => steer.mutate({ params: { path: { sweep_id: id, act } } }),
  };
}
