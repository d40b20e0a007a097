import type { LoadResult } from '../load.ts';
import type { SearchTrial } from './questions.ts';

/** Figures of one trial in a library: calls in its own process, without HTTP. */
export interface LibraryTrial {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Median number of matches. */
  readonly matches: number;
}

export interface LibraryFigures {
  readonly name: string;
  readonly buildMs: number;
  readonly rssMb: number;
  readonly grownMb: number;
  readonly heapMb: number;
  readonly firstQueryMs: number;
  readonly from: string;
  readonly trials: ReadonlyMap<string, LibraryTrial>;
}

export interface SearchFigures {
  readonly trial: SearchTrial;
  /** Median number of matches (of `total` in the responses). */
  readonly matches: number;
  readonly alone: LoadResult;
  readonly crowd: LoadResult;
  /** Failed responses, such as 503. */
  readonly failed: number;
  /** p50 of the exact trial, where the goal of this one depends on it. */
  readonly exactP50Ms: number;
}

/** Something that is measured once: a figure, its goal and whether it is met. */
export interface Fact {
  readonly what: string;
  readonly measured: string;
  readonly goal: string;
  readonly met: boolean | undefined;
}

/** The middle of some numbers; 0 of none. */
export function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

/** Milliseconds, with more digits where they are few. */
export function ms(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(0);
}

const whole = (value: number) => Math.round(value).toLocaleString('en');

export function markdownLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map(markdownLine).join('\n');
}

/** The goals of a trial, each with whether it is met. */
function verdicts({ trial, alone, crowd, failed, exactP50Ms }: SearchFigures): string {
  const p50Goal = Math.max(trial.goalP50Ms, (trial.goalTimesExact ?? 0) * exactP50Ms);
  const parts: (readonly [text: string, met: boolean])[] = [[`p50 ≤ ${ms(p50Goal)}`, alone.p50Ms <= p50Goal]];
  if (trial.goalP99Ms) parts.push([`p99 ≤ ${trial.goalP99Ms}`, alone.p99Ms <= trial.goalP99Ms]);
  if (trial.goalPerSecond) parts.push([`≥ ${trial.goalPerSecond}/s`, crowd.perSecond >= trial.goalPerSecond]);
  if (failed > 0) parts.push([`no refusals (${whole(failed)})`, false]);
  return parts.map(([text, met]) => `${text} ${met ? 'reached' : 'MISSED'}`).join(', ');
}

export const searchHead: readonly string[] = [
  'search',
  'matches (median)',
  'p50 ms',
  'p99 ms',
  'req/s, 16 connections',
  'p99 ms, 16',
  'goals',
];

/** A row of the table of searches. */
export function searchRow(figures: SearchFigures): readonly string[] {
  const { trial, matches, alone, crowd } = figures;
  const cells = [ms(alone.p50Ms), ms(alone.p99Ms), whole(crowd.perSecond), ms(crowd.p99Ms)];
  return [trial.name, whole(matches), ...cells, verdicts(figures)];
}

function libraryTable(figures: readonly SearchFigures[], libraries: readonly LibraryFigures[]): string {
  const head = ['search: p50 / p99 ms (matches)', 'service, over HTTP', ...libraries.map(({ name }) => name)];
  const rows = figures.map(({ trial, alone, matches }) => {
    const others = libraries.map(({ trials }) => {
      const found = trials.get(trial.name);
      return found ? `${ms(found.p50Ms)} / ${ms(found.p99Ms)} (${whole(found.matches)})` : '–';
    });
    return [trial.name, `${ms(alone.p50Ms)} / ${ms(alone.p99Ms)} (${whole(matches)})`, ...others];
  });
  return table(head, rows);
}

function memoryTable(libraries: readonly LibraryFigures[]): string {
  const head = ['library', 'build s', 'RSS MB', 'grown by MB', 'heap MB', 'first query after the start ms', 'from'];
  const rows = libraries.map(({ name, buildMs, rssMb, grownMb, heapMb, firstQueryMs, from }) => {
    return [name, (buildMs / 1000).toFixed(1), whole(rssMb), whole(grownMb), whole(heapMb), whole(firstQueryMs), from];
  });
  return table(head, rows);
}

export interface Report {
  readonly title: string;
  readonly machine: string;
  readonly searches: readonly SearchFigures[];
  readonly facts: readonly Fact[];
  readonly libraries: readonly LibraryFigures[];
}

/** The whole result as a Markdown page. */
export function reportText({ title, machine, searches, facts, libraries }: Report): string {
  const verdict = (met: boolean | undefined) => (met === undefined ? '' : met ? 'reached' : 'MISSED');
  const factRows = facts.map(({ what, measured, goal, met }) => [what, measured, goal, verdict(met)]);
  const beside = [
    '## Libraries on the same documents',
    'They are called within their own process: no HTTP, no tokens, nothing durable. Neither stems words. MiniSearch has no facets, they are counted over its matches. Orama finds whole words only in its exact mode, which reads the texts of the matches again; its filter narrows its facets too.',
    libraryTable(searches, libraries),
    memoryTable(libraries),
  ];
  return `${[
    `# ${title}`,
    machine,
    ...(searches.length > 0 ? [table(searchHead, searches.map(searchRow))] : []),
    table(['also', 'measured', 'goal', ''], factRows),
    ...(libraries.length > 0 ? beside : []),
  ].join('\n\n')}\n`;
}
