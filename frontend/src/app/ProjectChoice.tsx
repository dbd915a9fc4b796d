import { NativeSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { PROJECT_PATH, pathOf } from "@/api/project";
import { accountQueries } from "@/api/session";
import { bindText } from "@/components/fields";
import { t } from "@/words";

/** The project that the pages show, and the others that may be used; nothing where there is only the default one. */
export function ProjectChoice() {
  const { data } = useQuery(accountQueries.session());
  const names = (data?.projects ?? []).map(({ name }) => name);
  if (!data?.project || (names.length < 2 && !PROJECT_PATH)) return null;
  // One that is not the reader's, or does not exist, is shown as what it is: the pages say why they are empty.
  const options = names.includes(data.project) ? names : [data.project, ...names];
  return (
    <NativeSelect
      label={t("Project")}
      size="xs"
      data={options}
      {...bindText(data.project, (value) => globalThis.location.assign(pathOf(value)))}
      // The page is loaded anew, so that nothing of one project stays in the memory of another.
    />
  );
}
