import { Anchor, Group, SegmentedControl, Stack, Text, useComputedColorScheme } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { lazy, Suspense, useId, useMemo, useState } from "react";
import type { Figure } from "@/api/types";
import { Panel } from "@/components/Panel";
import type { Behind } from "@/components/results/behind";
import { csvOf } from "@/components/table/columns";
import { Waiting } from "@/components/Waiting";
import { words } from "@/words";
import { FigureTable } from "./FigureTable";
import classes from "./FigureView.module.css";
import { inWords } from "./inWords";
import { Legend } from "./Legend";
import { DAY, NIGHT } from "./look";
import { describe, linesOf } from "./rows";
import { savePng, saveSvg, saveText } from "./save";

const label = words.figures;
/** Observable Plot comes with the first figure that is drawn, not with the page. */
const Drawing = lazy(() => import("./Drawing"));
const HEIGHT = 320;
const NARROWEST = 300;
const PAPER_PX = 860;

interface Props {
  figure: Figure;
  /** Configurations whose questions the marks, and the rows of the table, lead to. */
  behind?: readonly Behind[];
}

const NOTHING: readonly Behind[] = [];

/** A figure with its notes: seen or read as a table, and saved as SVG, PNG or CSV. */
export function FigureView({ figure: given, behind = NOTHING }: Props) {
  const figure = useMemo(() => inWords(given), [given]);
  const [shown, setShown] = useState<"figure" | "table">("figure");
  const { ref, width } = useElementSize();
  const about = useId();
  const look = useComputedColorScheme("light") === "dark" ? NIGHT : DAY;
  const saves = {
    SVG: () => saveSvg(figure, PAPER_PX),
    PNG: () => savePng(figure, PAPER_PX),
    CSV: () => saveText(csvOf(linesOf(figure)), `${figure.id}.csv`, "text/csv"),
  };
  return (
    <Panel
      title={figure.title}
      beside={
        <Group gap="md">
          <SegmentedControl
            size="xs"
            aria-label={label.shownAs(figure.title)}
            value={shown}
            onChange={(value) => setShown(value as typeof shown)}
            data={[
              { value: "figure", label: label.asFigure },
              { value: "table", label: label.table },
            ]}
          />
          <Group gap={8}>
            {Object.entries(saves).map(([format, save]) => (
              <Anchor
                key={format}
                component="button"
                type="button"
                size="sm"
                aria-label={label.save(figure.title, format)}
                onClick={save}
              >
                {format}
              </Anchor>
            ))}
          </Group>
        </Group>
      }
    >
      <Stack gap="sm" ref={ref}>
        {shown === "table" ? (
          <FigureTable figure={figure} behind={behind} />
        ) : (
          <>
            <Legend figure={figure} look={look} />
            <div className={classes.frame} role="img" aria-label={figure.title} aria-describedby={about}>
              {width > 0 && (
                <Suspense fallback={<Waiting height={HEIGHT} />}>
                  <Drawing figure={figure} look={look} width={Math.max(NARROWEST, width)} behind={behind} />
                </Suspense>
              )}
            </div>
            <p id={about} className={classes.about}>
              {describe(figure)}
            </p>
          </>
        )}
        {figure.notes.length > 0 && (
          <Text size="sm" c="var(--quiet)">
            {figure.notes.join(" ")}
          </Text>
        )}
      </Stack>
    </Panel>
  );
}
