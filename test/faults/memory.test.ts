import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { test } from 'node:test';
import sharp from 'sharp';
import { leastMemoryBytes } from '../../src/config/memory.ts';
import { createRandom } from './random.ts';
import { dataFolder, type ServiceProcess, startService } from './service-process.ts';

/** A service that has no more memory than the documentation asks for, in a control group of its own. */

interface Group {
  readonly processes: string;
  /** How many processes of the group were killed for want of memory. */
  killed(): number;
  remove(): void;
}

/** Makes a group with a limit on memory, by version 1 or 2 of control groups; undefined where that is not possible. */
function makeGroup(bytes: number): Group | undefined {
  const groups = existsSync('/proc/self/cgroup') ? readFileSync('/proc/self/cgroup', 'utf8').split('\n') : [];
  const own = groups.find((line) => line.includes(':memory:')) ?? groups.find((line) => line.startsWith('0::'));
  if (own === undefined) return undefined;
  const isFirst = own.includes(':memory:');
  const parent = `/sys/fs/cgroup${isFirst ? '/memory' : ''}${own.split(':')[2]}`;
  const folder = `${parent}/grs-test-${process.pid}`;
  try {
    mkdirSync(folder);
    writeFileSync(`${folder}/${isFirst ? 'memory.limit_in_bytes' : 'memory.max'}`, String(bytes));
  } catch {
    if (existsSync(folder)) rmdirSync(folder);
    return undefined;
  }
  return {
    processes: `${folder}/cgroup.procs`,
    killed() {
      const text = readFileSync(`${folder}/${isFirst ? 'memory.oom_control' : 'memory.events'}`, 'utf8');
      return Number(/^oom_kill (\d+)/m.exec(text)?.[1]);
    },
    remove: () => rmdirSync(folder),
  };
}

/** The variables with which the image keeps memory small. */
const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
const variables = Object.fromEntries(
  [...dockerfile.matchAll(/\b(MALLOC_\w+)=(\d+)/g)].map(([, name, value]) => [name, value]),
);

const words = 'red blue green shoe shirt chair table lamp oak pine steel glass summer winter runner classic'.split(' ');
const group = makeGroup(leastMemoryBytes);
const skip = group ? false : 'a control group with a limit on memory cannot be made here';
if (skip) console.log(`The test of little memory is skipped: ${skip}.`);

/** A photograph, which has to be turned where it has an orientation: then all of its pixels are needed at once. */
async function photograph(width: number, height: number, orientation: number): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3, 127);
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg()
    .withMetadata({ orientation })
    .toBuffer();
}

function upload({ port }: ServiceProcess, token: string, sku: string, bytes: Buffer): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'image/jpeg', 'content-length': bytes.length };
    const sent = request({ port, method: 'POST', path: `/memory/resource/images?sku=${sku}`, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    sent.on('error', reject).end(bytes);
  });
}

test('with the least memory: an import, eight searchers, large documents and four photographs at once', {
  skip,
}, async (t) => {
  const folder = dataFolder();
  t.after(() => folder.remove());
  const under = ['sh', '-c', `echo $$ > ${group!.processes}; exec "$@"`, 'sh'];
  const service = await startService(folder.path, variables, { under });
  const token = await service.token('manage_project:memory');
  const random = createRandom(1);
  const word = () => words[Math.floor(random.next() * words.length)]!;
  const text = (count: number) =>
    Array.from({ length: count }, () => `${word()}${Math.floor(random.next() * 900)}`).join(' ');
  const send = async (method: string, path: string, body?: unknown) =>
    (await service.request({ method, path: `/memory/resource${path}`, token, ...(body !== undefined && { body }) }))
      .status;
  const statuses = new Map<string, number>();
  const note = (what: string, status: number | undefined) =>
    statuses.set(`${what} ${status}`, (statuses.get(`${what} ${status}`) ?? 0) + 1);

  let isOver = false;
  const searcher = async () => {
    while (!isOver)
      note('search', await send('GET', `/searchApiPattern?text.en=${word()}%20${word()}&facet=n&fuzzy=true&limit=10`));
  };
  const importer = async () => {
    for (let part = 0; !isOver; part += 1) {
      const lines = Array.from({ length: 2000 }, (_, n) =>
        JSON.stringify({ key: `${part}-${n}`, n, name: { en: text(30) } }),
      );
      const headers = { 'content-type': 'application/x-ndjson' };
      const sent = { method: 'POST', path: '/memory/resource/import', token, text: lines.join('\n'), headers };
      note('import', (await service.request(sent)).status);
    }
  };
  const background = Promise.all([importer(), ...Array.from({ length: 8 }, searcher)]);
  const documents = Array.from({ length: 16 }, async (_, n) =>
    note('put', await send('PUT', '', { key: `large-${n}`, text: text(95_000).slice(0, 720_000) })),
  );
  const turned = await photograph(5472, 3648, 6);
  const upright = await photograph(7952, 5304, 1);
  const pictures = Array.from({ length: 4 }, async (_, n) =>
    note('photograph', await upload(service, token, `sku-${n}`, n % 2 === 0 ? turned : upright)),
  );
  await Promise.all([...documents, ...pictures]);
  assert.equal(await upload(service, token, 'too-large', await photograph(7952, 5304, 6)), 400);
  isOver = true;
  await background;
  assert.equal(group!.killed(), 0, 'a process was killed for want of memory');
  assert.equal(statuses.get('photograph 200'), 4, JSON.stringify([...statuses]));
  assert.ok(
    [...statuses.keys()].every((each) => /(200|201|503)$/.test(each)),
    JSON.stringify([...statuses]),
  );
  assert.ok((statuses.get('search 200') ?? 0) > 0 && (statuses.get('put 201') ?? 0) > 0, JSON.stringify([...statuses]));
  service.kill('SIGTERM');
  assert.equal((await service.ended).code, 0);
  group!.remove();
});
