import { Combobox, Modal, TextInput, useCombobox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { collectionQueries, datasetQueries } from "@/api/materials";
import { sweepQueries } from "@/api/sweeps";
import { useMayOpen } from "@/components/ForRole";
import { bindText } from "@/components/fields";
import { useFocusBefore } from "@/components/focus";
import { t } from "@/words";
import { GROUPS } from "./places";
import classes from "./Shell.module.css";

const MOST = 6;

interface Target {
  label: string;
  href: string;
}

function targetOf({ id, name }: { id: string; name: string }): Target {
  return { label: name, href: `/sweeps/${id}` };
}

/** Everything that has its own page, by kind. */
function useTargets(): [group: string, targets: Target[]][] {
  const sweeps = useQuery(sweepQueries.page()).data?.items ?? [];
  const archived = useQuery(sweepQueries.page({ archived: "yes" })).data?.items ?? [];
  const collections = useQuery(collectionQueries.list()).data?.items ?? [];
  const datasets = useQuery(datasetQueries.list()).data?.items ?? [];
  const mayOpen = useMayOpen();
  const named = (place: string, names: string[]) =>
    names.map((name) => ({ label: name, href: `/${place}/${encodeURIComponent(name)}` }));
  return [
    [
      t("Pages"),
      GROUPS.flatMap(({ places }) => places.map(({ label, to }): Target => ({ label, href: to }))).filter(
        ({ href }) => mayOpen(href),
      ),
    ],
    [t("Sweeps"), sweeps.map(targetOf)],
    [t("Archived sweeps"), archived.map(targetOf)],
    [
      t("Collections"),
      named(
        "collections",
        collections.map(({ collection }) => collection.name),
      ),
    ],
    [
      t("Datasets"),
      named(
        "datasets",
        datasets.map(({ name }) => name),
      ),
    ],
  ];
}

/** What Ctrl+K opens: any page by its name. */
export default function PaletteDialog({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const navigate = useNavigate();
  const leave = useFocusBefore();
  // Its list is always open: Escape, which would close the list, closes the dialog.
  const box = useCombobox({ opened: true, onDropdownClose: onClose });
  const wanted = typed.trim().toLowerCase();
  const groups = useTargets()
    .map(([group, targets]) => {
      const found = targets.filter(({ label }) => label.toLowerCase().includes(wanted));
      return [group, group === t("Pages") ? found : found.slice(0, MOST)] as const;
    })
    .filter(([, targets]) => targets.length > 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed is the event
  useEffect(() => {
    box.selectFirstOption();
  }, [typed]);
  return (
    <Modal opened onClose={onClose} title={t("Go to")}>
      <Combobox
        store={box}
        withinPortal={false}
        onOptionSubmit={(href) => {
          leave();
          onClose();
          void navigate({ to: href });
        }}
      >
        <Combobox.EventsTarget>
          <TextInput
            data-autofocus
            aria-label={t("Page, sweep, collection or dataset")}
            placeholder={t("Page, sweep, collection or dataset")}
            {...bindText(typed, setTyped)}
          />
        </Combobox.EventsTarget>
        <Combobox.Options aria-label={t("Go to")} className={classes.palette} mt="sm" tabIndex={0}>
          {groups.length === 0 && <Combobox.Empty>{t("No matches")}</Combobox.Empty>}
          {groups.map(([group, targets]) => (
            <Combobox.Group key={group} label={group}>
              {targets.map(({ label, href }) => (
                <Combobox.Option key={href} value={href}>
                  {label}
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
        </Combobox.Options>
      </Combobox>
    </Modal>
  );
}
