import { useNavigate } from "@tanstack/react-router";
import { useDeleteMaterial } from "@/api/materials";
import { DeleteByName } from "@/components/DeleteByName";
import { forRole } from "@/components/ForRole";
import { showDone } from "@/components/notices";
import { t } from "@/words";

interface Props {
  kind: "collections" | "datasets";
  name: string;
  /** What is lost, in a sentence. */
  text: string;
}

/** Delete the collection or the dataset of this page, then show the others. */
export const DeleteMaterial = forRole("researcher", function DeleteMaterial({ kind, name, text }: Props) {
  const navigate = useNavigate();
  const remove = useDeleteMaterial(kind, async () => {
    showDone(t("Deleted {name}", { name }));
    await navigate({ to: `/${kind}` });
  });
  const act = () => remove.mutate({ params: { path: { name }, query: { confirm: name } } });
  return <DeleteByName name={name} text={text} request={remove} onDelete={act} />;
});
