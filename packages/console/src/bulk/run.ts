import type { BatchResult, ByPredicateLine, ByPredicateSummary } from 'generic-resource-service-client/api-types';
import { pathOf } from '../api/client.ts';
import { type JsonMap, writeJson } from '../api/json.ts';
import { call, jsonLines, openStream, read } from '../app/session.ts';
import { type ListRequest, listPath, type Page } from '../model/pages.ts';

/** A resource of a bulk change. */
export interface Target {
  readonly id: string;
  readonly key?: string;
  readonly version: number;
  /** The version before a change, of one that was changed. */
  readonly before?: number;
}

/** A change that is made to each resource. */
export type Change =
  | { readonly kind: 'delete' }
  | { readonly kind: 'update'; readonly actions: readonly JsonMap[] }
  /** Brings back what was deleted. */
  | { readonly kind: 'restore' }
  /** Makes what was before a change the next version. */
  | { readonly kind: 'undo' };

/** A resource that stayed as it was, and why. */
export interface Refusal {
  readonly target: Target;
  readonly code: string;
  readonly message: string;
}

/** How far a bulk change is. */
export interface Progress {
  readonly done: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly refused: readonly Refusal[];
  /** Resources that no longer matched when their turn came. */
  readonly skipped: number;
  /** What was changed, as long as it is little enough to be kept. */
  readonly changedTargets: readonly Target[];
}

export const nothingDone: Progress = {
  ...{ done: 0, changed: 0, unchanged: 0, refused: [], skipped: 0, changedTargets: [] },
};

/** Resources of a request to the service. It commits them at once; between two requests a person can stop. */
const portion = 100;
const keptTargets = 1000;

/** Picks what a change needs. */
export const targetOf = ({ id, key, version }: JsonMap): Target => ({
  id: id as string,
  version: version as number,
  ...(typeof key === 'string' && { key }),
});

/** The given resources in portions. */
export async function* portionsOf(targets: readonly Target[]): AsyncGenerator<readonly Target[]> {
  for (let at = 0; at < targets.length; at += portion) yield targets.slice(at, at + portion);
}

/** Changes that a batch request can make; versions and deleted resources are restored one by one. */
export type BatchChange = Extract<Change, { kind: 'delete' | 'update' }>;

function operationOf(change: BatchChange, { id, version }: Target): JsonMap {
  if (change.kind === 'delete') return { operation: 'delete', id, version };
  return { operation: 'update', id, version, actions: change.actions };
}

async function send(
  projectKey: string,
  targets: readonly Target[],
  change: BatchChange,
  before: Progress,
): Promise<Progress> {
  const path = pathOf(projectKey, 'resource', 'batch');
  const query = new URLSearchParams({ atomic: 'false', resources: 'false' });
  const json = { operations: targets.map((target) => operationOf(change, target)) };
  const { results } = await read<BatchResult>(projectKey, { method: 'POST', path, query, json });
  const refused: Refusal[] = [];
  const changed: Target[] = [];
  let unchanged = 0;
  for (const [at, { outcome, error, version }] of results.entries()) {
    const target = targets[at]!;
    const first = error?.errors?.[0];
    if (error) refused.push({ target, code: first?.code ?? '', message: first?.message ?? error.message });
    else if (outcome === 'unchanged') unchanged += 1;
    else changed.push({ ...target, ...(version !== undefined && { version, before: target.version }) });
  }
  return {
    ...before,
    done: before.done + targets.length,
    changed: before.changed + changed.length,
    unchanged: before.unchanged + unchanged,
    refused: [...before.refused, ...refused],
    changedTargets: [...before.changedTargets, ...changed].slice(0, keptTargets + 1),
  };
}

/** Resources of a request that only checks. */
const checkedAtOnce = 10_000;

interface Matching {
  readonly request: ListRequest;
  readonly change: BatchChange;
  /** How many match, as the person has seen it; nothing is changed if it is another number. */
  readonly expect: number | undefined;
  /** Nothing is written. */
  readonly isDryRun: boolean;
}

/**
 * Changes all resources that match, by id, each on what it is then. Stops between two requests when the signal is aborted. Throws what no
 * request got past; what was reported before is done.
 */
export async function changeMatching(
  { request: { projectKey, where, staged }, change, expect, isDryRun }: Matching,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  const path = pathOf(projectKey, 'resource', 'by-predicate');
  const what = change.kind === 'delete' ? { delete: true } : { actions: change.actions };
  let progress = nothingDone;
  let after: string | undefined;
  do {
    const query = new URLSearchParams({ limit: String(isDryRun ? checkedAtOnce : portion), staged: String(staged) });
    if (isDryRun) query.set('dryRun', 'true');
    if (isDryRun) query.set('results', 'refused');
    if (after !== undefined) query.set('after', after);
    const body = writeJson({
      ...{ where: where === '' ? 'id is defined' : where, ...what },
      ...(after === undefined && expect !== undefined && { expect }),
    });
    const call = { method: 'POST', path, query, body: new Blob([body], { type: 'application/json' }) } as const;
    let summary: JsonMap = {};
    for await (const line of jsonLines(await openStream(projectKey, call))) {
      if ('complete' in line) summary = line;
      else progress = withLine(progress, line);
    }
    if (!('complete' in summary)) throw new Error('The connection was lost before the end. Try again.');
    const { updated, deleted, unchanged, skipped, resources, resumeAfter, error } =
      summary as unknown as ByPredicateSummary;
    progress = {
      ...progress,
      done: progress.done + resources,
      changed: progress.changed + updated + deleted,
      unchanged: progress.unchanged + unchanged,
      skipped: progress.skipped + skipped,
    };
    onProgress(progress);
    if (error) throw new Error(error.message);
    after = resumeAfter;
  } while (after !== undefined && !signal.aborted);
}

/** Notes what became of a resource, but for the counts, which are in the summary. */
function withLine(progress: Progress, line: JsonMap): Progress {
  const { status, error, ...named } = line as unknown as ByPredicateLine;
  const target = targetOf(named as JsonMap);
  if (error) {
    const { code = '', message = error.message } = error.errors[0] ?? {};
    return { ...progress, refused: [...progress.refused, { target, code, message }] };
  }
  if (status !== 'updated' && status !== 'deleted') return progress;
  // The actions of a request raise the version by one.
  const changed = { ...target, before: target.version - 1 };
  return { ...progress, changedTargets: [...progress.changedTargets, changed].slice(0, keptTargets + 1) };
}

/** Brings back what was before, one resource after the other. */
async function bringBack(
  projectKey: string,
  targets: readonly Target[],
  kind: 'restore' | 'undo',
  before: Progress,
): Promise<Progress> {
  let progress = before;
  for (const target of targets) {
    const { id, version, before: earlier = version } = target;
    const path = pathOf(projectKey, 'resource', id);
    const json = { version, actions: [{ action: 'restore', version: earlier }] };
    const back = kind === 'restore' ? { path: `${path}/restore`, json: {} } : { path, json };
    const refused = await call(projectKey, { method: 'POST', ...back }).then(
      () => [],
      (error: Error & { code?: string }) => [{ target, code: error.code ?? '', message: error.message }],
    );
    progress = {
      ...progress,
      done: progress.done + 1,
      changed: progress.changed + 1 - refused.length,
      refused: [...progress.refused, ...refused],
    };
  }
  return progress;
}

/**
 * Changes resources portion by portion, each in the version that was read: one that was changed meanwhile is refused and
 * told. Stops between two portions when the signal is aborted. Throws what no portion got past, such as a lost
 * connection; what was reported before is done.
 */
export async function runChange(
  projectKey: string,
  portions: AsyncIterable<readonly Target[]>,
  change: Change,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  let progress = nothingDone;
  for await (const targets of portions) {
    if (signal.aborted) return;
    if (targets.length === 0) continue;
    progress =
      change.kind === 'restore' || change.kind === 'undo'
        ? await bringBack(projectKey, targets, change.kind, progress)
        : await send(projectKey, targets, change, progress);
    onProgress(progress);
    if (signal.aborted) return;
  }
}

/** True if all that were changed are kept, so that the change can be undone. */
export const isAllKept = ({ changed, changedTargets }: Progress): boolean => changed === changedTargets.length;

/** Reads the versions that resources have now, to try again. Those that are gone are left out. */
export async function currentTargets(projectKey: string, targets: readonly Target[]): Promise<readonly Target[]> {
  const found: Target[] = [];
  for await (const some of portionsOf(targets)) {
    const ids = some.map(({ id }) => JSON.stringify(id)).join(', ');
    const form = new URLSearchParams({ where: `id in (${ids})`, limit: String(portion), fields: 'key' });
    const { results } = await read<Page>(projectKey, {
      method: 'POST',
      path: listPath(projectKey),
      body: new Blob([form.toString()]),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    found.push(...results.map(targetOf));
  }
  return found;
}
