import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TaskQueue } from '../../src/domain/task-queue.ts';

test('task queue: one at a time, in their order', async () => {
  const jobs = new TaskQueue(1);
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

test('task queue: a job that fails makes room for the next, and its error is that of its caller', async () => {
  const jobs = new TaskQueue(1);
  const failed = jobs.run(() => Promise.reject(new Error('of the job')));
  const next = jobs.run(async () => 'done');
  await assert.rejects(failed, /of the job/);
  assert.equal(await next, 'done');
});
