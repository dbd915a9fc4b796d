const SECOND = 1000;
const MINUTE = 60;

/** Minutes and seconds that are left, 9:05. */
export function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND));
  return `${Math.floor(seconds / MINUTE)}:${String(seconds % MINUTE).padStart(2, "0")}`;
}
