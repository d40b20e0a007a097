interface MomentProps {
  readonly at: string;
  /** Instead of the time of day, or the day with its time: how long ago it was, for example. */
  readonly text?: string;
  /** Today's moments are shown as a time of day only. */
  readonly isBrief?: boolean;
}

/** A point in time, with all of it as a tooltip. */
export function Moment({ at, text, isBrief }: MomentProps) {
  const date = new Date(at);
  const whole = date.toLocaleString();
  const isToday = date.toDateString() === new Date().toDateString();
  return (
    <time dateTime={at} title={whole}>
      {text ?? (isBrief && isToday ? date.toLocaleTimeString() : whole)}
    </time>
  );
}
