import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api } from "@/api/client";
import type { DatasetSummary } from "@/api/types";
import { DeleteByName } from "@/components/DeleteByName";
import { showDone } from "@/components/notices";
import { formatCount } from "@/components/numbers/format";
import { words } from "@/words";

/** Delete the dataset of this page with all its versions, then show the others. */
export function DeleteDataset({ summary: { name, questions, versions } }: { summary: DatasetSummary }) {
  const remove = api.useMutation("delete", "/api/v1/datasets/{name}", { meta: { shown: true } });
  const cache = useQueryClient();
  const navigate = useNavigate();
  const act = () =>
    remove.mutate(
      { params: { path: { name }, query: { confirm: name } } },
      {
        onSuccess: async () => {
          showDone(words.shell.deleted(name));
          await navigate({ to: "/datasets" });
          cache.removeQueries({ queryKey: ["get", "/api/v1/datasets/{name}"] });
          await cache.invalidateQueries({ queryKey: ["get", "/api/v1/datasets"] });
        },
      },
    );
  return (
    <DeleteByName
      name={name}
      text={words.datasets.deleteText(formatCount(questions), formatCount(versions))}
      busy={remove.isPending}
      error={remove.error}
      onDelete={act}
    />
  );
}
