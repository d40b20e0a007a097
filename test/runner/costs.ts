import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** How many files are named. */
const named = 15;

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** What `note-cost.ts` has noted: seconds of the processor by the path of the file. */
function processorSeconds(notes: string): ReadonlyMap<string, number> {
  const lines = existsSync(notes) ? readFileSync(notes, 'utf8').trimEnd().split('\n') : [];
  return new Map(lines.map((line) => JSON.parse(line) as [string, number]));
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, each) => total + each, 0);

/**
 * The slowest files as a table of lines, with the total of all: seconds that passed, and those of the processor, which
 * say more on a machine that does other things as well.
 */
export function costReport(root: string, passedMs: ReadonlyMap<string, number>, notes: string): readonly string[] {
  const used = processorSeconds(notes);
  const row = (name: string, passed: string, processor: string) =>
    `${name.padEnd(52)} ${passed.padStart(8)} ${processor.padStart(12)}`;
  const slowest = [...passedMs].sort(([, a], [, b]) => b - a).slice(0, named);
  return [
    row('slowest files', 'seconds', 'processor s'),
    ...slowest.map(([file, ms]) => {
      const processor = used.get(file);
      return row(
        relative(root, file),
        tenths.format(ms / 1000),
        processor === undefined ? '' : tenths.format(processor),
      );
    }),
    row(`all ${passedMs.size} files`, whole.format(sum(passedMs.values()) / 1000), whole.format(sum(used.values()))),
  ];
}
