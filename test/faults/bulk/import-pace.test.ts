import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { waitUntil } from '../../../tools/prove/wait-until.ts';
import { dataFolder, type ServiceProcess, startService } from '../service-process.ts';
import { drafts, Import, stopDuring, totalOf } from './import-client.ts';

/** So many that an import goes on for seconds while others call. */
const lines = 8000;

/** Others that read one resource after another, until they are told to stop. */
class Readers {
  #isOver = false;
  readonly #ended: Promise<void>;

  constructor(service: ServiceProcess, token: string) {
    this.#ended = this.#read(service, token);
    // It is told by `stop`; where a test fails before, the service ends under it.
    this.#ended.catch(() => {});
  }

  async #read(service: ServiceProcess, token: string): Promise<void> {
    while (!this.#isOver) {
      const { status } = await service.request({ path: '/shop/resource/key=k0', token });
      assert.ok(status === 200 || status === 404 || status === 503, String(status));
      await pause(20);
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#ended;
  }
}

async function inService(use: (service: ServiceProcess, folder: string) => Promise<void>): Promise<void> {
  const folder = dataFolder();
  const service = await startService(folder.path);
  try {
    await use(service, folder.path);
  } finally {
    service.kill('SIGTERM');
    await service.ended;
    folder.remove();
  }
}

/** An import that gives way: others have called for long enough, and it has begun to report. */
async function slowImport(service: ServiceProcess, token: string): Promise<Import> {
  const upload = new Import(service, token);
  upload.sent.write(drafts(0, 1));
  await waitUntil(() => upload.lines.length > 0, upload.ended);
  // So long it may take until an import notices others.
  await pause(500);
  upload.sent.write(drafts(1, lines));
  await waitUntil(() => upload.lines.length > 1, upload.ended);
  return upload;
}

/** How many resources there are when none has come for longer than an import pauses. */
async function lastTotal(service: ServiceProcess, token: string): Promise<number> {
  for (let total = -1; ; ) {
    const now = await totalOf(service, token);
    if (now === total) return total;
    total = now;
    await pause(500);
  }
}

test('an import goes on while others call, and each of its lines is reported once', async () => {
  await inService(async (service) => {
    const token = await service.token('manage_test:shop');
    const readers = new Readers(service, token);
    const upload = await slowImport(service, token);
    for (let reports = 0; reports < 3; reports += 1) {
      const before = upload.lines.length;
      await waitUntil(() => upload.lines.length > before, upload.ended);
      assert.ok(upload.lines.length > before, 'it goes on');
    }
    await readers.stop();
    upload.sent.end();
    await upload.ended;
    assert.deepEqual([upload.summary.complete, upload.summary.created, upload.lines.length], [true, lines, lines]);
    assert.ok(upload.lines.every(({ line }, at) => line === at + 1));
    assert.equal(await totalOf(service, token), lines);
  });
});

test('SIGTERM while others call ends the import, with where to go on', async () => {
  await inService(async (service) => {
    const token = await service.token('manage_test:shop');
    const readers = new Readers(service, token);
    const upload = await slowImport(service, token);
    const resumeAt = await stopDuring(upload, service);
    await readers.stop().catch(() => {});
    assert.ok(resumeAt < lines, `${resumeAt - 1} lines were imported before the end`);
  });
});

test('an import whose client goes away, or is deleted, while others call ends', async () => {
  await inService(async (service) => {
    const token = await service.token('manage_project:shop manage_api_clients:shop');
    const readers = new Readers(service, token);
    const body = { name: 'importer', scopes: ['manage_test:shop'] };
    const made = JSON.parse((await service.request({ method: 'POST', path: '/shop/api-clients', token, body })).text);
    const path = '/oauth/token?grant_type=client_credentials&scope=manage_test:shop';
    const headers = { authorization: `Basic ${Buffer.from(`${made.id}:${made.secret}`).toString('base64')}` };
    const own = JSON.parse((await service.request({ method: 'POST', path, headers })).text).access_token;

    const deleted = await slowImport(service, own);
    await service.request({ method: 'DELETE', path: `/shop/api-clients/${made.id}`, token });
    await deleted.ended;
    assert.equal(deleted.summary, undefined);
    const gone = await slowImport(service, token);
    gone.sent.destroy();
    await gone.ended;
    // What was being committed is, and then nothing more comes, whatever had arrived.
    const total = await lastTotal(service, token);
    assert.ok(total >= Math.max(deleted.lines.length, gone.lines.length));
    assert.ok(total < lines, `${total} of ${lines} lines were imported`);

    // The turn that it had, or waited for, is free.
    await readers.stop();
    const next = new Import(service, token);
    next.sent.end(drafts(0, lines));
    await next.ended;
    assert.equal(next.summary.created + next.summary.unchanged, lines);
  });
});

test('two imports of one project take turns while others call, and both come to their end', async () => {
  await inService(async (service) => {
    const token = await service.token('manage_test:shop');
    const readers = new Readers(service, token);
    const first = await slowImport(service, token);
    const second = new Import(service, token);
    second.sent.write(drafts(0, 1000));
    const before = first.lines.length;
    await waitUntil(
      () => second.lines.length > 0 && first.lines.length > before,
      Promise.race([first.ended, second.ended]),
    );
    assert.ok(second.lines.length > 0 && first.lines.length > before);
    await readers.stop();
    first.sent.end();
    second.sent.end();
    await Promise.all([first.ended, second.ended]);
    assert.equal(first.summary.created, lines - first.summary.unchanged);
    assert.deepEqual([second.summary.complete, second.lines.length], [true, 1000]);
    assert.equal(await totalOf(service, token), lines);
  });
});
