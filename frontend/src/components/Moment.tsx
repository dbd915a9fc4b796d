/** A time as the reader's clock shows it: the hour today, the day before that; whole on hover. */
export function Moment({ at }: { at: string }) {
  const time = new Date(at);
  const isToday = time.toDateString() === new Date().toDateString();
  const shown = isToday
    ? time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
    : time.toLocaleDateString([], { day: "numeric", month: "short", year: "numeric" });
  return (
    <time dateTime={at} title={time.toLocaleString()}>
      {shown}
    </time>
  );
}
