import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** What node's test runner reports of a file. */
export interface FileCoverage {
  readonly path: string;
  readonly totalBranchCount: number;
  readonly coveredBranchCount: number;
  readonly totalLineCount: number;
  readonly coveredLineCount: number;
  readonly lines: readonly { readonly line: number; readonly count: number }[];
}

/** The folders whose branches the tests must reach, together, to at least `leastPercent`. */
export interface CoverageDemand {
  readonly root: string;
  readonly folders: readonly string[];
  readonly leastPercent: number;
}

const codeAtMargin = /^(?:export )?(?:default |async )?(?:const|let|function|class|if|for|while|try|await) ?\b/m;

/** A file that no test loaded has no branches at all in the report; if it is more than types, that is a failure. */
function neverLoaded(file: FileCoverage): boolean {
  return file.totalBranchCount === 0 && codeAtMargin.test(readFileSync(file.path, 'utf8'));
}

function percent(covered: number, total: number): number {
  return total === 0 ? 100 : Math.floor((10_000 * covered) / total) / 100;
}

/** Files of types only do not count; a file that was never loaded counts as one branch that was not reached. */
function branchPercent(files: readonly FileCoverage[]): number {
  let covered = 0;
  let total = 0;
  for (const file of files) {
    covered += file.coveredBranchCount;
    total += neverLoaded(file) ? 1 : file.totalBranchCount;
  }
  return percent(covered, total);
}

function row(name: string, lines: string, branches: string, rest: string): string {
  return `${name.padEnd(52)} ${lines.padStart(8)} ${branches.padStart(9)}  ${rest}`.trimEnd();
}

/** Numbers in a row as `3-5`, cut short where there are many. */
function ranges(numbers: readonly number[]): string {
  const found: [number, number][] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  const texts = found.slice(0, 8).map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
  return `${texts.join(' ')}${found.length > 8 ? ' …' : ''}`;
}

function fileRow(file: FileCoverage, root: string): string {
  const name = relative(root, file.path);
  if (neverLoaded(file)) return row(name, '0.00', '0.00', 'never loaded');
  const lines = percent(file.coveredLineCount, file.totalLineCount).toFixed(2);
  const branches = percent(file.coveredBranchCount, file.totalBranchCount).toFixed(2);
  const missed = file.lines.filter(({ count }) => count === 0).map(({ line }) => line);
  return row(name, lines, branches, ranges(missed));
}

/** The coverage as a table of lines, and whether it is enough. */
export function coverageReport(
  files: readonly FileCoverage[],
  { root, folders, leastPercent }: CoverageDemand,
): { readonly lines: readonly string[]; readonly enough: boolean } {
  const measured = files.filter((file) => file.totalBranchCount > 0 || neverLoaded(file));
  measured.sort((a, b) => (a.path < b.path ? -1 : 1));
  const reached = branchPercent(measured);
  const enough = measured.length > 0 && reached >= leastPercent;
  const lines = [
    row('coverage', 'lines %', 'branch %', 'lines not reached'),
    ...measured.map((file) => fileRow(file, root)),
    ...folders.map((folder) => {
      const inside = measured.filter(({ path }) => path.startsWith(join(root, folder, '/')));
      return row(`branches of ${folder}`, '', branchPercent(inside).toFixed(2), '');
    }),
    row('branches of all', '', reached.toFixed(2), `${enough ? 'at least' : 'BELOW'} ${leastPercent} %`),
  ];
  return { lines, enough };
}
