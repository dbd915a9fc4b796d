import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "@/api/client";
import type { CollectionDetail } from "@/api/types";
import { DeleteByName } from "@/components/DeleteByName";
import { showDone } from "@/components/notices";
import { formatCount } from "@/components/numbers/format";
import { words } from "@/words";

/** Delete the collection of this page, then show the others. */
export function DeleteCollection({ detail }: { detail: CollectionDetail }) {
  const { name } = detail.collection;
  const remove = api.useMutation("delete", "/api/v1/collections/{name}", { meta: { shown: true } });
  const cache = useQueryClient();
  const navigate = useNavigate();
  const act = () =>
    remove.mutate(
      { params: { path: { name }, query: { confirm: name } } },
      {
        onSuccess: async () => {
          showDone(words.shell.deleted(name));
          await navigate({ to: "/collections" });
          await cache.invalidateQueries({ queryKey: ["get", "/api/v1/collections"] });
        },
      },
    );
  return (
    <DeleteByName
      name={name}
      text={words.collections.deleteText(formatCount(detail.documents.length), formatCount(detail.passages))}
      busy={remove.isPending}
      error={remove.error}
      onDelete={act}
    />
  );
}
