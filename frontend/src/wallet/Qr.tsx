import QRCode from "@wharfkit/web-renderer/src/lib/qrcode/QRCode";
import { useMemo } from "react";
import { t } from "@/words";
import classes from "./wallet.module.css";

/** Lowest correction: a screen is clean, and the request is long. */
const CORRECTION = 1;
const SMALLEST_THAT_FITS = -1;
const MARGIN = 4;

/** One path over all dark squares, row by row. */
function drawn(text: string): { path: string; size: number } {
  const code = new QRCode(SMALLEST_THAT_FITS, CORRECTION);
  code.addData(text);
  code.make();
  const path = code.modules.flatMap((row, y) =>
    row.map((dark, x) => (dark ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : "")),
  );
  return { path: path.join(""), size: code.modules.length + 2 * MARGIN };
}

/** A code for a phone's camera: dark on light by day and by night. */
export function Qr({ text }: { text: string }) {
  const { path, size } = useMemo(() => drawn(text), [text]);
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={t("QR code for Anchor")}
    >
      <path d={path} />
    </svg>
  );
}
