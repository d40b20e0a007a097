import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../service-process.ts';
import { pathOfMany } from './clients/reader.ts';
import { groups } from './clients/writer.ts';
import type { Cluster } from './cluster.ts';
import { canonical, type ManyBy, type Recorded } from './record.ts';
import { type State, type Timeline, timelinesOf } from './timeline.ts';
import type { World } from './world.ts';
import type { Fields } from './write.ts';

type Last = Timeline & { readonly last: State };

async function get(world: World, path: string, method = 'GET') {
  return world.cluster.of(world.random.integer(0, 2)).request({ method, path, token: world.token });
}

const shown = (documents: readonly Fields[]) =>
  documents
    .map(({ id, version, mark }) => `${id} ${version} ${mark}`)
    .toSorted()
    .join(', ');

/**
 * When nobody writes any more, everything that can be asked agrees with the last state of each resource: reads, every
 * version of the log, lists and searches with their totals, exports, existence.
 */
export async function findDisagreements(world: World, recorded: Recorded): Promise<readonly string[]> {
  const violations: string[] = [];
  const timelines = [...timelinesOf(recorded).values()].map((each) => ({ ...each, last: each.states.at(-1)! }));
  for (const timeline of timelines) violations.push(...(await compareOne(world, timeline)));
  for (const project of world.projects) {
    const there = timelines.filter((each) => each.project === project && each.last.version > 0);
    for (const group of [undefined, ...groups]) {
      const expected = there.flatMap(({ last }) => (last.data ? [last.data.current] : []));
      const sought = expected.filter((document) => group === undefined || document.group === group);
      for (const by of ['list', 'search', 'export', 'exists'] as const) {
        violations.push(...(await compareMany(world, { project, by, group }, sought)));
      }
    }
  }
  return violations;
}

async function compareOne(world: World, { project, id, states, last }: Last): Promise<readonly string[]> {
  const violations: string[] = [];
  const { status, text } = await get(world, `/${project}/resource/${id}`);
  const found = status === 200 ? canonical(JSON.parse(text)) : String(status);
  const expected = last.version === 0 ? '404' : last.data && canonical(last.data.current);
  if (expected !== undefined && found !== expected) {
    violations.push(`quiet: ${project}/${id} is ${found} where the log ends with ${expected}`);
  }
  const forgotten = states.findLastIndex(({ event }) => event?.type === 'forgotten');
  const lives = states.slice(forgotten + 1).filter(({ version, incarnation, data }) => {
    return version > 0 && data && incarnation === last.incarnation;
  });
  for (const { version, data } of lives) {
    const earlier = await get(world, `/${project}/resource/${id}?version=${version}`);
    if (earlier.status === 200 && canonical(JSON.parse(earlier.text)) === canonical(data!.current)) continue;
    violations.push(
      `history: ${project}/${id} version ${version} is ${earlier.status} ${earlier.text} where ${canonical(data!.current)} was`,
    );
  }
  return violations;
}

async function compareMany(
  world: World,
  { project, by, group }: { readonly project: string; readonly by: ManyBy; readonly group: string | undefined },
  expected: readonly Fields[],
): Promise<readonly string[]> {
  const title = `${by} of ${group ?? 'all'} in ${project}`;
  const path = `/${project}/resource${pathOfMany(by, group)}`;
  const { status, text } = await get(world, path, by === 'exists' ? 'HEAD' : 'GET');
  if (by === 'exists') {
    return (status === 200) === expected.length > 0 ? [] : [`quiet: ${title}: ${status} with ${expected.length}`];
  }
  if (status !== 200) return [`quiet: ${title}: ${status} ${text}`];
  const lines = () => text.split('\n').filter((line) => line !== '');
  const results: readonly Fields[] =
    by === 'export' ? lines().map((line) => JSON.parse(line)) : JSON.parse(text).results;
  const all = (documents: readonly Fields[]) => documents.map(canonical).toSorted().join('\n');
  if (all(results) !== all(expected)) {
    return [`quiet: ${title} finds ${shown(results)} where ${shown(expected)} is there`];
  }
  const { total } = by === 'export' ? { total: results.length } : JSON.parse(text);
  return total === expected.length ? [] : [`quiet: ${title} has a total of ${total} of ${expected.length}`];
}

/** Every image that is listed, in either projection, is there. */
export async function findMissingFiles(world: World): Promise<readonly string[]> {
  const violations: string[] = [];
  for (const project of world.projects) {
    for (const staged of [false, true]) {
      const { text } = await get(world, `/${project}/resource/images?limit=100&staged=${staged}`);
      const { results } = JSON.parse(text) as { readonly results: readonly { readonly images: readonly string[] }[] };
      for (const url of results.flatMap(({ images }) => images)) {
        const { status } = await get(world, new URL(url, 'http://localhost').pathname);
        if (status !== 200) violations.push(`image: ${url} is listed, and ${status}`);
      }
    }
  }
  return violations;
}

/** Checks a store that is not served, and moves its projects to another one: what comes out there is the same to the byte. */
export async function findInStore(cluster: Cluster, projects: readonly string[]): Promise<readonly string[]> {
  const violations: string[] = [];
  const check = await cluster.command('check');
  if (check.code !== 0) violations.push(`check: ${check.stdout}${check.stderr}`);
  const folder = mkdtempSync(join(tmpdir(), 'grs-moved-'));
  try {
    for (const project of projects) {
      const [first, second] = [join(folder, `${project}-1`), join(folder, `${project}-2`)];
      const environment = { DATA_DIR: join(folder, 'data') };
      for (const [run, args] of [
        [cluster.command, ['move-out', '--project', project, '--out', first]],
        [inFolder(environment), ['move-in', '--project', project, '--in', first]],
        [inFolder(environment), ['move-out', '--project', project, '--out', second]],
      ] as const) {
        const { code, stdout, stderr } = await run('project', ...args);
        if (code !== 0) return [...violations, `move: ${args.join(' ')}: ${stdout}${stderr}`];
      }
      if (recordsIn(first) !== recordsIn(second)) violations.push(`move: ${project} has changed on its way`);
    }
    if (projects.length === 0) return violations;
    const moved = await inFolder({ DATA_DIR: join(folder, 'data') })('check');
    if (moved.code !== 0) violations.push(`check: after the move: ${moved.stdout}${moved.stderr}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return violations;
}

/** The file without its first line, which has the time, and the last one, which has the digest. */
const recordsIn = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n').slice(1, -1).join('\n');

const inFolder =
  (environment: Readonly<Record<string, string>>) =>
  (...args: readonly string[]) =>
    runCommand(args, environment);
