import { Button, Checkbox, Popover, SegmentedControl, Stack } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Quiet } from "@/components/Quiet";
import { t } from "@/words";
import { type MatrixView, toggled } from "./useMatrix";

/** How the matrix is drawn in this browser; which rows it has is in the address. */
export function useMatrixDisplay() {
  const [display, setDisplay] = useLocalStorage({
    key: "passer.matrix.display",
    defaultValue: { isNarrow: true, isColours: false },
    getInitialValueInEffect: false,
  });
  return { ...display, set: (next: Partial<typeof display>) => setDisplay({ ...display, ...next }) };
}

export type MatrixDisplay = ReturnType<typeof useMatrixDisplay>;

/** Layout, rows and format of the matrix. */
export function DisplayMenu({ view, display }: { view: MatrixView; display: MatrixDisplay }) {
  return (
    <Popover width={300} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button size="xs" variant="default">
          {t("Display")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="md">
          <Part title={t("Layout")}>
            <SegmentedControl
              size="xs"
              aria-label={t("Layout")}
              value={display.isNarrow ? "narrow" : "wide"}
              onChange={(value) => display.set({ isNarrow: value === "narrow" })}
              data={[
                { value: "wide", label: t("Full width") },
                { value: "narrow", label: t("Narrow columns") },
              ]}
            />
          </Part>
          <Part title={t("Format")}>
            <SegmentedControl
              size="xs"
              aria-label={t("Format")}
              value={display.isColours ? "colours" : "numbers"}
              onChange={(value) => display.set({ isColours: value === "colours" })}
              data={[
                { value: "numbers", label: t("Numbers") },
                { value: "colours", label: t("Colours only") },
              ]}
            />
          </Part>
          <Checkbox
            size="xs"
            label={t("Only questions with a score under the baseline")}
            checked={view.only.includes("baseline")}
            onChange={() => view.change({ only: toggled(view.only, "baseline") })}
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap={4}>
      <Quiet size="xs">{title}</Quiet>
      {children}
    </Stack>
  );
}
