import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../../src/contract/errors.ts';
import type { Store } from '../../src/domain/ports/store.ts';
import { creation, document, listOf, openStore, type TrialResult } from './projects.ts';

const resources = 1500;
/** Small, so that a build takes long enough to be interrupted. */
const buildPortion = 25;

/**
 * INDEXED_PATHS changes while lists run, the build is given up in the middle, the old paths come back, and the new ones
 * again: no list may ever have another total than the right one.
 */
export async function tryIndexPaths(url: string, project: string): Promise<TrialResult> {
  const problems: string[] = [];
  const lines: string[] = [];
  const first = await openStore(url, { declaredPaths: ['rank'] });
  for (let n = 0; n < resources; n += 50) {
    const ids = Array.from({ length: 50 }, (_, at) => n + at);
    await Promise.all(
      ids.map((id) =>
        first.resources.commit(creation(project, document(`r${id}`, 1, { rank: `k${id}`, shelf: `s${id % 10}` }))),
      ),
    );
  }
  await first.close();
  for (const [declaredPaths, isComplete] of [
    [['rank', 'shelf'], false],
    [['rank'], true],
    [['rank', 'shelf'], true],
  ] as const) {
    const ready = Promise.withResolvers<void>();
    const note = (text: string) => text.startsWith(`project ${project}: the index is ready`) && ready.resolve();
    const store = await openStore(url, { declaredPaths, buildPortion, note });
    const counts = await ask(store, project, isComplete && declaredPaths.length > 1 ? ready.promise : pause(300));
    problems.push(...counts.wrong);
    lines.push(`paths ${declaredPaths.join()}: ${counts.right} lists, ${counts.refused} refused with 503 meanwhile`);
    await store.close();
  }
  return { lines, problems };
}

/** Asks for a range of either path until the promise resolves, and once more then. */
async function ask(store: Store, project: string, until: Promise<unknown>) {
  const counts = { right: 0, refused: 0, wrong: [] as string[] };
  let isOver = false;
  void until.then(() => {
    isOver = true;
  });
  for (let isLast = false; ; isLast = isOver) {
    for (const [where, total] of [
      ['shelf > "s7"', resources / 5],
      ['rank >= "k"', resources],
    ] as const) {
      try {
        const list = await store.resources.list(listOf(project, where));
        if (list.total === total) counts.right += 1;
        else counts.wrong.push(`${where}: total ${list.total}, not ${total}`);
      } catch (error) {
        if (!(error instanceof ServiceError) || error.status !== 503) throw error;
        counts.refused += 1;
      }
    }
    if (isLast) return counts;
  }
}
