import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** How many files are named. */
const named = 25;

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** The cost of a test file. */
interface Cost {
  readonly file: string;
  readonly cpuSeconds: number;
  readonly ms: number;
}

/** What `note-cost.ts` has noted, one for each file that has run to its end. */
export function readCosts(notes: string): readonly Cost[] {
  const lines = existsSync(notes) ? readFileSync(notes, 'utf8').trimEnd().split('\n') : [];
  return lines.map((line) => {
    const [file, cpuSeconds, ms] = JSON.parse(line) as [string, number, number];
    return { file, cpuSeconds, ms };
  });
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, each) => total + each, 0);

/**
 * The files that used most CPU time as a table of lines, with the total of all. Seconds that passed say less on a machine
 * that does other things as well.
 */
export function costReport(root: string, costs: readonly Cost[]): readonly string[] {
  const row = (name: string, cpu: string, passed: string) =>
    `${name.padEnd(52)} ${cpu.padStart(8)} ${passed.padStart(8)}`;
  const most = costs.toSorted((a, b) => b.cpuSeconds - a.cpuSeconds).slice(0, named);
  return [
    row('files by CPU time', 'CPU s', 'seconds'),
    ...most.map(({ file, cpuSeconds, ms }) =>
      row(relative(root, file), tenths.format(cpuSeconds), tenths.format(ms / 1000)),
    ),
    row(
      `all ${costs.length} files`,
      whole.format(sum(costs.map(({ cpuSeconds }) => cpuSeconds))),
      whole.format(sum(costs.map(({ ms }) => ms)) / 1000),
    ),
  ];
}
