import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "@/api/client";
import { DeleteByName } from "@/components/DeleteByName";
import { showDone } from "@/components/notices";
import { words } from "@/words";

const KINDS = {
  collections: "/api/v1/collections",
  datasets: "/api/v1/datasets",
} as const;

interface Props {
  kind: keyof typeof KINDS;
  name: string;
  /** What is lost, in a sentence. */
  text: string;
}

/** Delete the collection or the dataset of this page, then show the others. */
export function DeleteMaterial({ kind, name, text }: Props) {
  const list = KINDS[kind];
  const remove = api.useMutation("delete", `${list}/{name}`, { meta: { shown: true } });
  const cache = useQueryClient();
  const navigate = useNavigate();
  const act = () =>
    remove.mutate(
      { params: { path: { name }, query: { confirm: name } } },
      {
        onSuccess: async () => {
          showDone(words.shell.deleted(name));
          await navigate({ to: `/${kind}` });
          cache.removeQueries({ queryKey: ["get", `${list}/{name}`] });
          await cache.invalidateQueries({ queryKey: ["get", list] });
        },
      },
    );
  return <DeleteByName name={name} text={text} busy={remove.isPending} error={remove.error} onDelete={act} />;
}
