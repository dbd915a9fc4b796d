import { CloseButton, Switch } from "@mantine/core";
import { type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { bindTick } from "@/components/fields";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import classes from "./compare.module.css";
import type { Chosen } from "./useChosen";

interface Props {
  chosen: Chosen;
  /** Ids of the runs, the baseline first. */
  order: string[];
  nameOf: (id: string) => string;
}

/** The compared runs as chips, the baseline leftmost: drag one, or move it with the arrow keys. */
export function ComparisonBar({ chosen, order, nameOf }: Props) {
  const [dragged, setDragged] = useState<string>();
  const [over, setOver] = useState<string>();
  const list = useRef<HTMLUListElement>(null);
  const moved = useRef<string>(undefined);
  // A chip that moves in the list loses the focus in some browsers.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus follows the order
  useEffect(() => {
    if (moved.current === undefined) return;
    list.current?.querySelector<HTMLElement>(`[data-run="${moved.current}"] button`)?.focus();
    moved.current = undefined;
  }, [order.join("~")]);
  const move = (id: string, to: number) => {
    if (to < 0 || to >= order.length) return;
    const rest = order.filter((other) => other !== id);
    moved.current = id;
    void chosen.arrange([...rest.slice(0, to), id, ...rest.slice(to)]);
  };
  const onKeyDown = (event: KeyboardEvent, id: string) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    move(id, order.indexOf(id) + step);
  };
  const onDrop = (event: DragEvent, id: string) => {
    event.preventDefault();
    if (dragged !== undefined && dragged !== id) move(dragged, order.indexOf(id));
    setOver(undefined);
  };
  return (
    <div className={classes.bar}>
      <ul ref={list} className={classes.chips} aria-label={t("Compared runs")}>
        {order.map((id, place) => (
          <li
            key={id}
            data-run={id}
            data-base={place === 0 || undefined}
            data-over={(over === id && dragged !== id) || undefined}
            className={classes.chip}
            draggable
            onDragStart={() => setDragged(id)}
            onDragEnd={() => setDragged(undefined)}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(id);
            }}
            onDragLeave={() => setOver(undefined)}
            onDrop={(event) => onDrop(event, id)}
          >
            <button
              type="button"
              aria-pressed={place === 0}
              aria-label={t("Use {name} as baseline", { name: nameOf(id) })}
              onClick={() => move(id, 0)}
              onKeyDown={(event) => onKeyDown(event, id)}
            >
              {nameOf(id)}
              {place === 0 && <span className={classes.tag}>{t("baseline")}</span>}
            </button>
            <CloseButton
              size={24}
              iconSize={14}
              aria-label={t("Remove {name}", { name: nameOf(id) })}
              onClick={() => chosen.remove(id)}
            />
          </li>
        ))}
      </ul>
      {order.length > 1 && (
        <Switch
          size="xs"
          label={t("Differences only")}
          {...bindTick(chosen.isDiffOnly, chosen.setDiffOnly)}
        />
      )}
      {order.length > 1 && (
        <Quiet size="xs" w="100%">
          {t("The first run is the baseline. Drag a run, or press ← and →, to change the order.")}
        </Quiet>
      )}
    </div>
  );
}
