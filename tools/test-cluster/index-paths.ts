import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../../src/contract/errors.ts';
import type { Store } from '../../src/domain/ports/store.ts';
import { dataFolder, startService } from '../prove/service-process.ts';
import { withClient } from '../smoke-cluster/shards.ts';
import { creation, document, listOf, openStore, type TrialResult } from './projects.ts';

const resources = 4000;
/** Small, so that a build takes long enough to be interrupted. */
const buildPortion = 25;

/**
 * INDEXED_PATHS changes while lists run, the process that builds is killed in the middle, the old paths come back, and the
 * new ones again: no list may ever have another total than the right one.
 */
export async function tryIndexPaths(url: string, project: string): Promise<TrialResult> {
  const problems: string[] = [];
  const lines: string[] = [];
  const first = await openStore(url, { declaredPaths: ['rank'] });
  for (let n = 0; n < resources; n += 250) {
    const ids = Array.from({ length: 250 }, (_, at) => n + at);
    await Promise.all(
      ids.map((id) =>
        first.resources.commit(creation(project, document(`r${id}`, 1, { rank: `k${id}`, shelf: `s${id % 10}` }))),
      ),
    );
  }
  await first.close();
  // Of a process that does not build, beside one that does.
  const beside = await openStore(url, { declaredPaths: ['rank', 'shelf'], access: 'shared' });
  const killed = killBuilder(url, project);
  const meanwhile = await ask(beside, project, killed);
  problems.push(...meanwhile.wrong);
  lines.push(`the process that builds was killed ${await killed}: ${shown(meanwhile)}`);
  await beside.close();
  for (const declaredPaths of [['rank'], ['rank', 'shelf']]) {
    const ready = Promise.withResolvers<void>();
    const note = (text: string) => text.startsWith(`project ${project}: the index is ready`) && ready.resolve();
    const store = await openStore(url, { declaredPaths, buildPortion, note });
    const counts = await ask(store, project, declaredPaths.length > 1 ? ready.promise : pause(300));
    problems.push(...counts.wrong);
    lines.push(`paths ${declaredPaths.join()}: ${shown(counts)}`);
    await store.close();
  }
  return { lines, problems };
}

const shown = ({ right, refused }: { readonly right: number; readonly refused: number }) =>
  `${right} lists, ${refused} refused with 503 meanwhile`;

/** Starts a process that builds, and kills it when the first portions are there; returns where that was. */
async function killBuilder(url: string, project: string): Promise<string> {
  const folder = dataFolder();
  const builder = await startService(folder.path, { DATABASE_URL: url, INDEXED_PATHS: 'rank,shelf' });
  try {
    return await withClient(url, async (client) => {
      for (;;) {
        const { rows } = await client.query<{ step: string; position: string }>(
          'SELECT step, position FROM index_generation WHERE project_key = $1 ORDER BY generation DESC LIMIT 1',
          [project],
        );
        const [{ step, position } = { step: '', position: '' }] = rows;
        if (step === 'scan' && position !== '') return `at ${position}`;
        // The generation of before is done as well, until the build has begun.
        if (step === 'done' && position !== '') return 'at its end';
        await pause(5);
      }
    });
  } finally {
    builder.kill('SIGKILL');
    await builder.ended;
    folder.remove();
  }
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
