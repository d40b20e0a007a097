import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { png } from '../images/pictures.ts';
import { nobody } from '../storage/postgres/postgres-server.ts';
import { creation, document } from '../storage/records.ts';
import { openTestStore } from '../storage/sqlite/open-test-store.ts';
import { compareAcknowledged, type State } from './acknowledged.ts';
import { dataFolder, main, runCommand, type ServiceProcess, startService } from './service-process.ts';

const writers = 16;
const filler = 'x'.repeat(2000);

interface Writing {
  /** What has been acknowledged so far. */
  acknowledged(): ReadonlyMap<string, State>;
  stop(): Promise<void>;
}

/** Writers that create and replace resources until they are stopped. */
function startWriting({ request }: ServiceProcess, token: string): Writing {
  const told = new Map<string, State>();
  let isStopped = false;
  const write = async (writer: number) => {
    for (let n = 0; !isStopped; n += 1) {
      const id = `w${writer}-${n % 40}`;
      const body = { id, value: `write ${n}`, filler };
      const { status, text } = await request({ method: 'PUT', path: '/copied/resource', token, body });
      assert.equal(status, 201, text);
      told.set(id, { version: (JSON.parse(text) as { version: number }).version, value: body.value });
    }
  };
  const all = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  return {
    acknowledged: () => new Map(told),
    async stop() {
      isStopped = true;
      await all;
    },
  };
}

async function waitFor(count: number, { acknowledged }: Writing): Promise<void> {
  while (acknowledged().size < count) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function upload(service: ServiceProcess, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'image/png' };
  const url = `http://127.0.0.1:${service.port}/copied/resource/images?staged=false`;
  const answer = await fetch(url, { method: 'POST', headers, body: Buffer.from(await png(60, 60)) });
  return ((await answer.json()) as { images: readonly [string] }).images[0];
}

test('grs backup beside 16 writers: a service starts on the copy, with every write acknowledged before, images too', async (t) => {
  const [source, backups] = [dataFolder(), dataFolder()];
  const copy = join(backups.path, 'new', 'copy');
  try {
    const service = await startService(source.path);
    const token = await service.token('manage_project:copied');
    const image = await upload(service, token);
    writeFileSync(join(source.path, 'admin-client.json'), '{}', { mode: 0o600 });
    const writing = startWriting(service, token);
    await waitFor(writers * 40, writing);
    const before = writing.acknowledged();
    const { code, stdout, stderr } = await runCommand(['backup', copy], { DATA_DIR: source.path });
    const after = writing.acknowledged();
    await writing.stop();
    assert.equal(code, 0, stdout + stderr);
    service.kill('SIGTERM');
    assert.equal((await service.ended).code, 0);
    const written = [...after].filter(([id, { version }]) => version > before.get(id)!.version).length;
    assert.ok(written > 0, 'nothing was written meanwhile');
    t.diagnostic(`${written} of ${after.size} resources were written meanwhile`);

    assert.deepEqual(readdirSync(copy).sort(), ['admin-client.json', 'grs.db', 'images']);
    for (const name of ['admin-client.json', 'grs.db']) assert.equal(statSync(join(copy, name)).mode & 0o777, 0o600);
    const check = await runCommand(['check'], { DATA_DIR: copy });
    assert.deepEqual([check.code, check.stdout.trim()], [0, 'All is well.'], check.stderr);
    const restored = await startService(copy);
    const found = new Map<string, State>();
    const { text } = await restored.request({ path: '/copied/resource/export', token });
    for (const line of text.trim().split('\n')) {
      const { id, version, value } = JSON.parse(line) as State & { readonly id: string };
      found.set(id, { version, value });
    }
    const { lost, changed } = compareAcknowledged(before, found);
    assert.deepEqual({ lost, changed }, { lost: [], changed: [] });
    assert.equal((await restored.request({ path: new URL(image, 'http://grs').pathname, token })).status, 200);
    restored.kill('SIGTERM');
    assert.equal((await restored.ended).code, 0);
  } finally {
    source.remove();
    backups.remove();
  }
});

test('grs backup refuses what it would mix or could not copy: exit code 2, and nothing is made', async () => {
  const [source, backups] = [dataFolder(), dataFolder()];
  try {
    const copy = join(backups.path, 'copy');
    const cases: readonly (readonly [args: readonly string[], says: RegExp, settings?: Record<string, string>])[] = [
      [[copy], /there is no store at /],
      [[copy, 'other'], /expected one folder/],
      [[copy], /backed up by the tools of its database/, { DATABASE_URL: 'postgres://127.0.0.1:1/none' }],
    ];
    for (const [args, says, settings] of cases) {
      const { code, stderr } = await runCommand(['backup', ...args], { DATA_DIR: source.path, ...settings });
      assert.match(stderr, says);
      assert.equal(code, 2);
      assert.equal(existsSync(copy), false);
    }
    const store = await startService(source.path);
    store.kill('SIGTERM');
    await store.ended;
    const inside = join(source.path, 'images');
    const link = join(backups.path, 'link');
    symlinkSync(source.path, link);
    for (const folder of [
      inside,
      join(inside, 'new', 'deep'),
      join(source.path, 'copy'),
      source.path,
      join(link, 'x'),
      link,
    ]) {
      const refused = await runCommand(['backup', folder], { DATA_DIR: source.path });
      assert.match(refused.stderr, /is in the data folder .+; name a folder outside/);
      assert.equal(refused.code, 2);
    }
    assert.deepEqual(
      readdirSync(source.path).filter((name) => name === 'images' || name === 'copy'),
      [],
    );
    mkdirSync(copy);
    writeFileSync(join(copy, 'grs.db'), 'of another copy');
    const { code, stderr } = await runCommand(['backup', copy], { DATA_DIR: source.path });
    assert.match(stderr, /is not empty; name a new folder/);
    assert.equal(code, 2);
    assert.equal(readFileSync(join(copy, 'grs.db'), 'utf8'), 'of another copy');
  } finally {
    source.remove();
    backups.remove();
  }
});

test('grs backup into a folder that cannot be written: exit code 2, says why and what to do, and nothing is made', async () => {
  const [source, backups] = [dataFolder(), dataFolder()];
  try {
    await (await openTestStore(join(source.path, 'grs.db'))).close();
    const isRoot = process.getuid?.() === 0;
    if (isRoot)
      for (const name of ['.', ...readdirSync(source.path)]) chownSync(join(source.path, name), nobody, nobody);
    const file = join(backups.path, 'file');
    writeFileSync(file, 'x');
    const kept = join(backups.path, 'kept');
    mkdirSync(kept, { mode: 0o700 });
    chmodSync(backups.path, 0o555);
    if (!isRoot) chmodSync(kept, 0);
    const environment = { PATH: process.env.PATH, DATA_DIR: source.path };
    for (const [folder, says] of [
      [backups.path, /this user may not write there; name another folder, or give this one to the user \(chown\)/],
      [join(backups.path, 'new', 'copy'), /this user may not write there; name another folder/],
      [kept, /this user may not write there; name another folder/],
      [file, /it is a file; name a folder/],
      [join(file, 'copy'), /a part of it is a file; name a folder/],
    ] as const) {
      const { status, stderr } = spawnSync(process.execPath, [main, 'backup', folder], {
        ...(isRoot && { uid: nobody, gid: nobody }),
        ...{ env: environment, encoding: 'utf8' },
      });
      assert.equal(status, 2, stderr);
      assert.ok(stderr.includes(`${folder} cannot be used: `), stderr);
      assert.match(stderr, says);
      assert.doesNotMatch(stderr, /no backup|EACCES|\n\s+at /);
    }
    assert.deepEqual(readdirSync(backups.path).sort(), ['file', 'kept']);
  } finally {
    chmodSync(backups.path, 0o755);
    source.remove();
    backups.remove();
  }
});

test('grs backup to a disk without room: exit code 1, says so, and leaves nothing that looks like a store', async (t) => {
  const [source, backups] = [dataFolder(), dataFolder()];
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=65536,mode=0700', 'tmpfs', backups.path]).status === 0;
  try {
    if (!mounted) return t.skip('this user may not mount a file system');
    const store = await openTestStore(join(source.path, 'grs.db'));
    await store.resources.commit(creation('p', document('large', 1, { filler: 'x'.repeat(200_000) })));
    await store.close();
    const { code, stderr } = await runCommand(['backup', backups.path], { DATA_DIR: source.path });
    assert.match(
      stderr,
      /^The disk of \S+ is full, so the backup is not complete\. Make room, or name a folder on another disk\.$/m,
    );
    assert.equal(code, 1);
    assert.deepEqual(readdirSync(backups.path), []);
  } finally {
    if (mounted) spawnSync('umount', [backups.path]);
    source.remove();
    backups.remove();
  }
});
