import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createJobQueue } from '../../src/images/codec/job-queue.ts';
import { storageError } from '../../src/images/files/folder-store.ts';

test('jobs: one at a time, in their order', async () => {
  const jobs = createJobQueue();
  const order: string[] = [];
  let running = 0;
  let most = 0;
  const job = (name: string) => async () => {
    running += 1;
    most = Math.max(most, running);
    order.push(name);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  };
  const names = ['1', '2', '3', '4', '5'];
  await Promise.all(names.map((name) => jobs.run(job(name))));
  assert.equal(most, 1);
  assert.deepEqual(order, names);
});

test('jobs: a job that fails makes room for the next, and its error is that of its caller', async () => {
  const jobs = createJobQueue();
  const failed = jobs.run(() => Promise.reject(new Error('of the job')));
  const next = jobs.run(async () => 'done');
  await assert.rejects(failed, /of the job/);
  assert.equal(await next, 'done');
});

test('jobs: one more is 503 with Retry-After where a hundred wait', async () => {
  const jobs = createJobQueue();
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting = Array.from({ length: 101 }, () => jobs.run(() => promise));
  await assert.rejects(
    jobs.run(() => promise),
    { code: 'OverCapacity', headers: { 'retry-after': '5' } },
  );
  resolve();
  await Promise.all(waiting);
});

test('a full disk is 507 InsufficientStorage, a disk that fails 503, any other error is passed on', () => {
  const of = (code: string) => storageError(Object.assign(new Error('of the test'), { code })) as { status?: number };
  for (const code of ['ENOSPC', 'EDQUOT']) assert.equal(of(code).status, 507);
  assert.equal(of('EIO').status, 503);
  assert.equal((of('ENOENT') as Error).message, 'of the test');
});
