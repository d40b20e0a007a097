import type { ImportLine } from '#client';
import type { ImportNotes } from './upload.ts';

/** Names that are remembered, to tell which lines name the same resource. */
const rememberedNames = 1_000_000;
/** Lines and columns that are named at the end. */
const maxNamed = 5;

/** Notes about a file that is imported in portions, printed at the end. */
export function createImportNotes() {
  const lines = new Map<string, number>();
  const repeats: (readonly [line: number, earlier: number])[] = [];
  let repeated = 0;
  let delimiter: string | undefined;
  const columns = new Map<string, Map<string, number>>();

  function addLine({ line, status, id, key }: ImportLine): void {
    if (status === 'refused') return;
    const names = [...(id === undefined ? [] : [`id ${id}`]), ...(key === undefined ? [] : [`key ${key}`])];
    const earlier = names.map((name) => lines.get(name)).find((known) => known !== undefined);
    for (const name of names) if (lines.size < rememberedNames || lines.has(name)) lines.set(name, line);
    if (earlier === undefined) return;
    repeated += 1;
    if (repeats.length < maxNamed) repeats.push([line, earlier]);
  }

  return {
    addLine,
    addSummary(notes: ImportNotes): void {
      delimiter = notes.delimiter ?? delimiter;
      for (const { column, firstLines } of notes.mixedColumns ?? []) {
        const known = columns.get(column) ?? new Map();
        columns.set(column, known);
        for (const [type, line] of Object.entries(firstLines)) if (!known.has(type)) known.set(type, line);
      }
    },
    texts(): readonly string[] {
      return [
        ...(delimiter === undefined || delimiter === 'comma' ? [] : [`The cells are separated by ${delimiter}s.`]),
        ...[...columns].slice(0, maxNamed).map(([name, types]) => mixedText(name, types)),
        ...(columns.size > maxNamed ? [`… and ${columns.size - maxNamed} more columns of several types.`] : []),
        ...(repeated === 0 ? [] : [repeatedText(repeated, repeats)]),
      ];
    },
  };
}

function mixedText(name: string, types: ReadonlyMap<string, number>): string {
  const list = [...types].map(([type, line]) => `${type} (line ${line})`).join(', ');
  const number = types.has('number') ? `, or ${name}:number, which refuses other cells` : '';
  return `The column ${name} has values of several types: ${list}. To read all alike, name a type in the header, such as ${name}:string${number}.`;
}

function repeatedText(count: number, first: readonly (readonly [number, number])[]): string {
  const pairs = first.map(([line, earlier]) => `${line} that of line ${earlier}`).join(', ');
  const what = count === 1 ? '1 line names' : `${count.toLocaleString('en')} lines name`;
  return `${what} the resource of an earlier line; where they differ, the later one counts: line ${pairs}${count > first.length ? ', …' : '.'}`;
}

/** A refused line for people. */
export function refusalText({ line, id, key, error }: ImportLine): string {
  const name = key ?? id;
  return `Line ${line}${name === undefined ? '' : `, ${name}`}: ${error?.message ?? 'refused'}`;
}

interface Ending {
  readonly isComplete: boolean;
  readonly isDryRun: boolean;
  readonly refused: number;
  readonly changed: number;
  /** The file with the refused lines. */
  readonly correct: string | undefined;
}

/** The next step for the user, or undefined. */
export function nextStep({ isComplete, isDryRun, refused, changed, correct }: Ending): string | undefined {
  if (!isComplete)
    return refused > 0 && correct !== undefined ? `The lines refused so far are in ${correct}.` : undefined;
  const again = 'run the same command without --dry-run';
  if (refused > 0) {
    // A dry run has written none of the other lines, which the file of corrections lacks.
    if (isDryRun && changed > 0 && correct !== undefined) {
      return `Next: ${again}, which writes the other lines, then correct those in ${correct} and import that file.`;
    }
    const what =
      correct === undefined ? 'the lines and import the file again' : `the lines in ${correct} and import that file`;
    const hint = correct === undefined ? ' --correct <file> writes the refused lines to a file of their own.' : '';
    return `Next: correct ${what}; what is there already stays as it is.${hint}`;
  }
  return isDryRun && changed > 0 ? `Next: ${again}.` : undefined;
}

/** The numbers in the file for those that the response has. */
export function notesInFile(notes: ImportNotes, numberOf: (line: number) => number): ImportNotes {
  const mixedColumns = notes.mixedColumns?.map(({ column, firstLines }) => ({
    column,
    firstLines: Object.fromEntries(Object.entries(firstLines).map(([type, line]) => [type, numberOf(line)])),
  }));
  return { delimiter: notes.delimiter, mixedColumns };
}
