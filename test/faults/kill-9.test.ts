import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '../../tools/prove/wait-until.ts';
import { compareAcknowledged, type State } from './acknowledged.ts';
import { createRandom } from './random.ts';
import { dataFolder, NoAnswer, runCommand, type ServiceProcess, startService } from './service-process.ts';

const cycles = 4;
const writers = 16;
const random = createRandom();
const folder = dataFolder();
let service: ServiceProcess | undefined;
after(async () => {
  service?.kill('SIGKILL');
  await service?.ended;
  folder.remove();
});

interface Document {
  readonly id: string;
  readonly version: number;
  readonly someProperty: string;
}

const stateOf = ({ version, someProperty }: Document): State => ({ version, value: someProperty });

/** Creates resources and updates each a few times, recording every response, until the service is gone. */
async function write(
  { request }: ServiceProcess,
  writer: number,
  project: string,
  token: string,
  told: Map<string, State>,
): Promise<void> {
  const send = async (path: string, body: unknown, status: number): Promise<Document> => {
    const answer = await request({ method: 'POST', path, token, body });
    assert.equal(answer.status, status, answer.text);
    const document = JSON.parse(answer.text) as Document;
    told.set(document.id, stateOf(document));
    return document;
  };
  for (let n = 0; ; n += 1) {
    const draft = { id: `w${writer}-${n}`, key: `key ${writer} ${n}`, someProperty: `created ${n}` };
    const { id } = await send(`/${project}/resource`, draft, 201);
    for (let version = 1; version <= n % 4; version += 1) {
      const actions = [{ action: 'changeSomeProperty', someProperty: `update ${n} of ${version}` }];
      await send(`/${project}/resource/${id}`, { version, actions }, 200);
    }
  }
}

/** Everything that a project has, by its id, in pages. */
async function readAll({ request }: ServiceProcess, project: string, token: string): Promise<Map<string, State>> {
  const found = new Map<string, State>();
  for (let last: string | undefined = ''; last !== undefined; ) {
    const where = encodeURIComponent(`id > "${last}"`);
    const path = `/${project}/resource/sorted-query-parameters?limit=500&sort=id%20asc&withTotal=false&where=${where}`;
    const { status, text } = await request({ path, token });
    assert.equal(status, 200, text);
    const { results } = JSON.parse(text) as { results: readonly Document[] };
    for (const document of results) found.set(document.id, stateOf(document));
    last = results.at(-1)?.id;
  }
  return found;
}

async function crash(project: string, token: string, told: Map<string, State>): Promise<void> {
  const running = service!;
  const ends = Array.from({ length: writers }, (_, writer) => write(running, writer, project, token, told));
  const results = Promise.allSettled(ends);
  await waitUntil(() => told.size > writers, results);
  await pause(random.integer(0, 400));
  running.kill('SIGKILL');
  for (const result of await results) {
    assert.ok(
      result.status === 'rejected' && result.reason instanceof NoAnswer,
      String((result as PromiseRejectedResult).reason),
    );
  }
  assert.equal((await running.ended).signal, 'SIGKILL');
}

/** Compares a project with what was acknowledged. Unacknowledged is at most one write of each writer. */
async function compare(project: string, token: string, told: ReadonlyMap<string, State>): Promise<number> {
  const { lost, changed, unacknowledged } = compareAcknowledged(told, await readAll(service!, project, token));
  assert.deepEqual([lost, changed], [[], []], `${project}, seed ${random.seed}`);
  assert.ok(unacknowledged.length <= writers, `${project}: ${unacknowledged.length} unacknowledged resources`);
  return unacknowledged.length;
}

test(`SIGKILL in the middle of ${writers} writers, ${cycles} times: every acknowledged write is there after the restart`, async (t) => {
  const projects = Array.from({ length: cycles }, (_, cycle) => `cycle-${cycle}`);
  const scope = projects.map((project) => `manage_test:${project}`).join(' ');
  service = await startService(folder.path);
  const token = await service.token(scope);
  const all = new Map<string, Map<string, State>>();
  let extras = 0;
  for (const project of projects) {
    const told = new Map<string, State>();
    all.set(project, told);
    await crash(project, token, told);
    service = await startService(folder.path);
    extras += await compare(project, token, told);
  }
  for (const [project, told] of all) await compare(project, token, told);
  const acks = [...all.values()].flatMap((told) => [...told.values()]).reduce((sum, { version }) => sum + version, 0);
  t.diagnostic(
    `seed ${random.seed}: ${acks} acknowledged writes in ${cycles} cycles, 0 lost, ${extras} never heard of`,
  );
  assert.ok(acks > cycles * writers, `${acks} acknowledged writes are too few to say anything`);

  const check = await runCommand(['check'], { DATA_DIR: folder.path });
  assert.deepEqual([check.code, check.stdout.trim()], [0, 'All is well.'], check.stderr);

  // The comparison is made of the same reads: one write taken away must not go unnoticed.
  const [project, told] = [...all][cycles - 1]!;
  const found = await readAll(service, project, token);
  const [damaged] = told.keys();
  found.delete(damaged!);
  assert.deepEqual(compareAcknowledged(told, found).lost, [damaged]);
});
