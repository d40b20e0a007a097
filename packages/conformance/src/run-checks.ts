import type { Api } from './api.ts';
import { type Check, Deviation, type Endpoint, endpoints, type Level } from './check.ts';
import { backendChecks } from './checks/backend.ts';
import { changeChecks } from './checks/changes.ts';
import { draftChecks } from './checks/drafts.ts';
import { imageChecks } from './checks/images.ts';
import { listChecks } from './checks/lists.ts';
import { readChecks } from './checks/reads.ts';
import { searchChecks } from './checks/search.ts';

export const allChecks: readonly Check[] = [
  ...[readChecks, draftChecks, changeChecks, listChecks, searchChecks, imageChecks, backendChecks],
].flat();

export interface CheckResult {
  readonly endpoint: Endpoint;
  readonly level: Level;
  readonly claim: string;
  /** The expected and the actual response; undefined where the claim holds. */
  readonly deviation?: string;
}

/**
 * Runs checks one after the other, and removes what they created. What an implementation does wrong is a result, as is
 * an answer that never comes. `onResult` hears of each as it ends.
 */
export async function runChecks(
  api: Api,
  checks: readonly Check[],
  onResult: (result: CheckResult) => void = () => {},
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { run, ...check } of checks) {
    const deviation = await run(api).then(() => undefined, explain);
    const result = { ...check, ...(deviation === undefined ? {} : { deviation }) };
    results.push(result);
    onResult(result);
  }
  await api.removeAll().catch(() => {});
  return results;
}

/** A check that trips over an answer of another shape has found a deviation as well. */
function explain(error: unknown): string {
  if (error instanceof Deviation) return error.message;
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

/** The report as lines: each endpoint with its counts, and below it what does not hold. */
export function reportLines(results: readonly CheckResult[]): readonly string[] {
  const named = Object.entries(endpoints) as [Endpoint, string][];
  const width = Math.max(...named.map(([, name]) => name.length));
  const lines = named.flatMap(([endpoint, name]) => {
    const of = results.filter((result) => result.endpoint === endpoint);
    if (of.length === 0) return [];
    const failed = of.filter(({ deviation }) => deviation !== undefined);
    const counts = (['interface', 'contract'] as const).map((level) => `${level} ${countOf(of, level)}`);
    const head = `${failed.length === 0 ? '✔' : '✖'} ${endpoint.padEnd(6)} ${name.padEnd(width)}  ${counts.join('  ')}`;
    return [
      head,
      ...failed.flatMap(({ level, claim, deviation }) => [`    ✖ ${claim} (${level})`, `      ${deviation}`]),
    ];
  });
  return [...lines, '', `interface ${countOf(results, 'interface')}, contract ${countOf(results, 'contract')}`];
}

function countOf(results: readonly CheckResult[], level: Level): string {
  const of = results.filter((result) => result.level === level);
  if (of.length === 0) return '–';
  return `${of.filter(({ deviation }) => deviation === undefined).length} of ${of.length}`;
}
