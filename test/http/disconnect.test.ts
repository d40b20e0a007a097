import assert from 'node:assert/strict';
import net from 'node:net';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { route, withServer } from './fixture.ts';

const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer read-p\r\n\r\n`;

test('a client that disconnects: the signals of all its requests are aborted, and no error is logged', async () => {
  const begun: AbortSignal[] = [];
  const { promise: bothBegun, resolve } = Promise.withResolvers<void>();
  const waiting = route({
    operationId: 'wait',
    path: '/:projectKey/wait',
    handler: ({ signal: signalOf }, signal = signalOf()) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        if (begun.push(signal) === 2) resolve();
      }),
  });
  const metrics = createMetrics();
  const lines: string[] = [];
  const log = {
    write: (level: string) => void lines.push(level),
    enabled: () => false,
    dropped: () => 0,
  };
  await withServer(
    async ({ port }) => {
      const client = net.connect(port, '127.0.0.1');
      client.write(head('/p/wait') + head('/p/wait'));
      await bothBegun;
      assert.deepEqual(
        begun.map(({ aborted }) => aborted),
        [false, false],
      );
      const aborted = new Promise((done) => begun[0]!.addEventListener('abort', done));
      client.destroy();
      await aborted;
      assert.deepEqual(
        begun.map((signal) => signal.aborted),
        [true, true],
      );
      // After the rejections have been seen.
      await new Promise(setImmediate);
      assert.match(metrics.render(), /^http_requests_in_flight 0$/m);
      assert.deepEqual(lines, []);
    },
    {},
    { routes: [waiting], metrics, log: log as never },
  );
});

test('requests on one connection: an earlier one that has its response leaves the later ones alone', async () => {
  const signals: AbortSignal[] = [];
  const seen = route({
    operationId: 'see',
    path: '/:projectKey/see',
    handler({ signal }) {
      signals.push(signal());
      return { status: 200, body: '{}' };
    },
  });
  await withServer(
    async ({ port }) => {
      const client = net.connect(port, '127.0.0.1');
      for (const _ of [1, 2]) {
        client.write(head('/p/see'));
        await new Promise((done) => client.once('data', done));
      }
      assert.deepEqual(
        signals.map(({ aborted }) => aborted),
        [false, false],
      );
      client.destroy();
    },
    {},
    { routes: [seen] },
  );
});

test('a client that disconnects before a stream begins: nothing is logged, and the stream is ended', {
  timeout: 300_000,
}, async () => {
  const lines: unknown[] = [];
  const log = { write: (...line: readonly unknown[]) => void lines.push(line), enabled: () => false, dropped: () => 0 };
  const { promise: begun, resolve: begin } = Promise.withResolvers<AbortSignal>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const streaming = route({
    operationId: 'stream',
    path: '/:projectKey/stream',
    async handler({ signal }) {
      const gone = signal();
      begin(gone);
      await new Promise((resolve) => gone.addEventListener('abort', resolve));
      const results = new PassThrough();
      results.once('close', end);
      return { status: 200, body: '', stream: { sizeBytes: undefined, open: () => results } };
    },
  });
  await withServer(
    async ({ port }) => {
      const client = net.connect(port, '127.0.0.1');
      client.write(head('/p/stream'));
      await begun;
      client.destroy();
      await ended;
      assert.deepEqual(lines, []);
    },
    {},
    { routes: [streaming], log: log as never },
  );
});
