import { useState } from 'preact/hooks';
import { clock } from './format.ts';

interface ChartProps {
  readonly name: string;
  readonly meaning: string;
  /** Beyond its limit. What that means is said elsewhere. */
  readonly isRed: boolean;
  readonly times: readonly string[];
  /** One value for each time; undefined: nothing to measure. */
  readonly values: readonly (number | undefined)[];
  readonly format: (value: number) => string;
}

const width = 300;
const height = 56;
/** Room for the line itself at the top. */
const top = 3;

/** The points of each run of values that follow each other, as the commands of a path. */
function pathsOf(values: ChartProps['values'], most: number): { readonly line: string; readonly area: string } {
  const x = (at: number) => (values.length < 2 ? width : (at / (values.length - 1)) * width).toFixed(1);
  const y = (value: number) => (height - (value / most) * (height - top)).toFixed(1);
  let line = '';
  let area = '';
  let from: number | undefined;
  values.forEach((value, at) => {
    if (value === undefined) return;
    if (from === undefined) {
      from = at;
      line += `M${x(at)} ${y(value)}`;
      area += `M${x(at)} ${height}`;
    }
    line += `L${x(at)} ${y(value)}`;
    area += `L${x(at)} ${y(value)}`;
    if (values[at + 1] === undefined) {
      area += `L${x(at)} ${height}Z`;
      from = undefined;
    }
  });
  return { line, area };
}

/** A measure over time: its value now, or where one points; and the line of all. */
export function Chart({ name, meaning, isRed, times, values, format }: ChartProps) {
  const [pointed, setPointed] = useState<number>();
  const known = values.filter((value) => value !== undefined);
  const most = Math.max(...known, 0);
  const { line, area } = pathsOf(values, most || 1);
  const last = values.at(-1);
  const shown = (value: number | undefined) => (value === undefined ? '–' : format(value));
  const at = pointed !== undefined && pointed < values.length ? pointed : undefined;
  const point = (event: PointerEvent) => {
    const { left, width: of } = (event.currentTarget as Element).getBoundingClientRect();
    setPointed(Math.round(((event.clientX - left) / of) * (values.length - 1)));
  };
  return (
    <section class={isRed ? 'chart card red' : 'chart card'}>
      <h2>{name}</h2>
      <p class="value cut">
        <strong>{shown(at === undefined ? last : values[at])}</strong>{' '}
        <span class="hint">{at === undefined ? (most > 0 ? `at most ${format(most)}` : '') : clock(times[at]!)}</span>
      </p>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${name}: ${shown(last)} now, ${format(most)} at most in this time`}
        onPointerMove={point}
        onPointerLeave={() => setPointed(undefined)}
      >
        <path class="area" d={area} />
        <path class="line" d={line} />
        {at !== undefined && values.length > 1 && (
          <path class="pointer" d={`M${(at / (values.length - 1)) * width} 0V${height}`} />
        )}
      </svg>
      <p class="hint">{meaning}</p>
    </section>
  );
}
