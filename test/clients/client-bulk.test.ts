import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ByPredicateLine,
  type ClientOptions,
  ConflictError,
  ConnectionError,
  type ImportLine,
  InvalidRequestError,
  PermissionError,
  UnavailableError,
  where,
} from '../../packages/client/src/index.ts';
import { type Interference, openClients, refusal } from './open-client.ts';

interface Product {
  readonly size: number;
  readonly big?: bigint;
}

const clients = await openClients();
const { open } = clients;

/** The products of a project of their own, whose requests can be interfered with. */
function productsOf(projectKey: string, interfere?: Interference, options: Partial<ClientOptions> = {}) {
  const { client, urls } = open(interfere, { projectKey, ...options });
  return { products: client.resources<Product>(), client, urls };
}

async function collect<I>(items: AsyncIterable<I>): Promise<I[]> {
  const all: I[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const drafts = (count: number) => Array.from({ length: count }, (_, at) => ({ key: `k${at + 1}`, size: at + 1 }));
const statusesOf = (lines: readonly ImportLine[]) => Object.entries(Object.groupBy(lines, ({ status }) => status));
const countsOf = (lines: readonly ImportLine[]) =>
  Object.fromEntries(statusesOf(lines).map(([status, some]) => [status, some!.length]));

/** The response, cut after so many lines as a lost connection does. */
async function cut(response: Response, lines: number): Promise<Response> {
  const text = await response.text();
  const kept = text.split('\n').slice(0, lines).join('\n');
  let isSent = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (isSent) controller.error(new TypeError('terminated'));
      else controller.enqueue(new TextEncoder().encode(`${kept}\n{"li`));
      isSent = true;
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

/** Does something else to each of the first requests to a path; undefined lets one through. */
function onAttempts(path: string, ...attempts: readonly (Interference | undefined)[]): Interference {
  let attempt = 0;
  return (url, init, send) => {
    if (!url.includes(path)) return undefined;
    attempt += 1;
    return attempts[attempt - 1]?.(url, init, send);
  };
}

/** Sends the request, and loses the response after some lines. */
function cutAfter(lines: number, baseUrl: string): Interference {
  return async (url, init, send) => cut(await send(`${baseUrl}${url}`, init), lines);
}

describe('changes by predicate', () => {
  const increment = { action: 'incrementNumber', path: 'size', by: 1000 } as const;

  /** What a change yields and returns. */
  async function drain(results: ReturnType<ReturnType<typeof productsOf>['products']['deleteWhere']>) {
    const lines: ByPredicateLine[] = [];
    for (;;) {
      const { done, value } = await results.next();
      if (done) return { lines, summary: value };
      lines.push(value);
    }
  }

  test('update and delete all that match, after a dry run, with the number that it found', async () => {
    const { products } = productsOf('matching');
    await collect(products.import(drafts(250)));
    const large = where`size > ${50}`;
    const dry = await drain(products.updateWhere(large, [increment], { dryRun: true }));
    assert.deepEqual([dry.lines.length, dry.summary.updated, dry.summary.dryRun], [200, 200, true]);
    await assert.rejects(drain(products.updateWhere(large, [increment], { expect: 199 })), ConflictError);
    const done = await drain(products.updateWhere(large, [increment], { expect: dry.summary.resources, user: 'jane' }));
    assert.deepEqual(done.lines, dry.lines);
    assert.equal((await products.get({ key: 'k51' })).size, 1051);
    const last = await drain(products.deleteWhere(where`size = ${1051}`, { limit: 1 }));
    assert.deepEqual([last.summary.deleted, last.summary.complete], [1, true]);
    assert.equal(await products.find({ key: 'k51' }), undefined);
  });

  test('continue where the connection was lost, and do nothing twice', async () => {
    const lost = [async () => refusal(503, 'OverCapacity'), cutAfter(120, clients.baseUrl)];
    const { products, urls } = productsOf('cut-changes', onAttempts('/by-predicate', undefined, ...lost));
    await collect(products.import(drafts(350)));
    assert.equal(
      (await drain(products.updateWhere('size is defined', [increment], { dryRun: true }))).lines.length,
      350,
    );
    const { lines, summary } = await drain(products.updateWhere('size is defined', [increment]));
    assert.equal(new Set(lines.map(({ id }) => id)).size, 350);
    assert.deepEqual([lines.length, summary.updated], [350, 350]);
    assert.equal(urls.filter((url) => url.includes('/by-predicate')).length, 4);
    const sizes = (await collect(products.all())).map(({ size }) => size);
    assert.deepEqual(
      sizes.sort((a, b) => a - b),
      drafts(350).map(({ size }) => size + 1000),
    );
  });
});

describe('import', () => {
  test('sends drafts in portions, and tells what became of each by its number', async () => {
    const { products, urls } = productsOf('portions');
    const given = drafts(1100).map((draft, at) => (at === 700 ? { ...draft, key: 'not\u0000a key' } : draft));
    const lines = await collect(products.import(given));
    assert.deepEqual(
      lines.map(({ line }) => line),
      given.map((_, at) => at + 1),
    );
    assert.deepEqual(countsOf(lines), { created: 1099, refused: 1 });
    assert.deepEqual([lines[700]!.status, lines[700]!.error?.errors[0]?.code], ['refused', 'InvalidJsonInput']);
    assert.equal(urls.filter((url) => url.includes('/import')).length, 3);

    const again = await collect(products.import(drafts(600), { results: 'refused' }));
    assert.deepEqual(again, []);
    const changed = await collect(products.import([{ key: 'k1', size: 5 }, drafts(2)[1]!], { mode: 'overwrite' }));
    assert.deepEqual(
      changed.map(({ status, version }) => [status, version]),
      [
        ['updated', 2],
        ['unchanged', 1],
      ],
    );
  });

  test('takes drafts from anywhere: a generator, texts, bytes in any pieces, a file', async () => {
    const { products } = productsOf('sources');
    async function* generated() {
      yield { key: 'a', size: 1, big: 9007199254740993n };
      yield '{"key":"b","size":9007199254740995}';
    }
    assert.deepEqual(countsOf(await collect(products.import(generated()))), { created: 2 });
    const bytes = new TextEncoder().encode(
      '{"key":"ä","size":1}\n\n{"key":"d","size":2}\r\nno JSON\n{"key":"e","size":3}',
    );
    const pieces = ReadableStream.from([bytes.subarray(0, 9), bytes.subarray(9, 40), bytes.subarray(40)]);
    const streamed = await collect(products.import(pieces as ReadableStream<Uint8Array>));
    assert.deepEqual(
      streamed.map(({ line, status }) => [line, status]),
      [
        [1, 'created'],
        [2, 'created'],
        [3, 'refused'],
        [4, 'created'],
      ],
    );
    assert.deepEqual(countsOf(await collect(products.import(new Blob([bytes])))), { unchanged: 3, refused: 1 });
    assert.equal((await products.get({ key: 'a' })).big, 9007199254740993n);
    assert.deepEqual(await collect(products.import([])), []);
  });

  test('throws for bytes that are not UTF-8, with the line, and alters no key', async () => {
    const { products } = productsOf('latin');
    const bytes = Buffer.from('{"key":"a"}\n{"key":"Größe"}\n{"key":"Grüße"}\n', 'latin1');
    for (const source of [new Blob([bytes]), ReadableStream.from([bytes.subarray(0, 20), bytes.subarray(20)])]) {
      await assert.rejects(
        collect(products.import(source as Blob)),
        (error) => error instanceof InvalidRequestError && /^Line 2 has bytes that are not UTF-8\./.test(error.message),
      );
    }
    assert.equal((await products.list({ limit: 1 })).total, 0);
  });

  test('throws where a proxy has cut the request, although the summary says that all is complete', async () => {
    const { baseUrl } = clients;
    const { products } = productsOf(
      'swallowed',
      onAttempts('/import', async (url, init, send) => {
        const body = String(init?.body).split('\n').slice(0, 7).join('\n');
        return send(`${baseUrl}${url}`, { ...init, body });
      }),
    );
    await assert.rejects(collect(products.import(drafts(10))), {
      code: 'IncompleteImport',
      message: /10 lines were sent, the service has read 7 and answered 7/,
    });
  });

  test('sends portions that nginx accepts, of texts with many bytes too', async () => {
    const sizes: number[] = [];
    const { products } = productsOf('wide', async (url, init, send) => {
      if (url.includes('/import')) sizes.push(Buffer.byteLength(String(init?.body)));
      return send(`${clients.baseUrl}${url}`, init);
    });
    await collect(products.import(Array.from({ length: 12 }, (_, n) => ({ key: `w${n}`, text: '中'.repeat(90_000) }))));
    assert.ok(sizes.length > 1 && Math.max(...sizes) <= 1_048_576, String(sizes));
  });

  test('goes on where the connection was lost, and makes each resource once', async () => {
    const { baseUrl } = clients;
    const { products, urls } = productsOf(
      'lost',
      onAttempts(
        '/import',
        () => Promise.reject(new TypeError('refused')),
        cutAfter(100, baseUrl),
        async () => refusal(503, 'OverCapacity', { 'retry-after': '0' }),
        // All was done, and nothing of the response arrived.
        async (url, init, send) => {
          await (await send(`${baseUrl}${url}`, init)).text();
          throw new TypeError('terminated');
        },
      ),
    );
    const nameless = Array.from({ length: 300 }, (_, size) => ({ size }));
    const lines = await collect(products.import(nameless));
    assert.deepEqual(
      lines.map(({ line }) => line),
      nameless.map((_, at) => at + 1),
    );
    assert.deepEqual(countsOf(lines), { created: 100, unchanged: 200 });
    assert.equal(urls.filter((url) => url.includes('/import')).length, 5);
    assert.equal((await products.list({ limit: 1 })).total, 300);
  });

  test('sends a text that names its resource as it is, so that the service refuses what JavaScript would alter', async () => {
    const { products } = productsOf('texts');
    const texts = [
      '{"key":"a","size":1e400}',
      '{"key":"b","key":"c","size":1}',
      '{"key":"d",\n"size":9007199254740993}',
    ];
    const lines = await collect(products.import(texts));
    assert.deepEqual(countsOf(lines), { refused: 2, created: 1 });
    assert.equal((await products.get({ key: 'd' })).size as unknown, 9007199254740993n);
  });

  test('ends at a refused draft if it is told to, and writes nothing in a dry run', async () => {
    const { products } = productsOf('ends');
    const given = drafts(1000).map((draft, at) => (at === 200 ? { ...draft, version: 7 } : draft));
    const tried = await collect(products.import(given, { dryRun: true, versions: 'check', results: 'refused' }));
    assert.deepEqual(
      tried.map(({ line }) => line),
      [201],
    );
    assert.equal((await products.list({ limit: 1 })).total, 0);
    const stopped = await collect(products.import(given, { stopOnError: true, versions: 'check' }));
    assert.deepEqual([stopped.length, stopped.at(-1)!.status], [201, 'refused']);
    assert.equal((await products.list({ limit: 1 })).total, 200);
  });

  test('throws what is no use to try again, and gives up after its retries', async () => {
    const lost = productsOf(
      'gives-up',
      onAttempts('/import', ...Array(9).fill(() => Promise.reject(new TypeError()))),
      {
        retries: 1,
      },
    );
    await assert.rejects(collect(lost.products.import(drafts(1))), ConnectionError);
    assert.equal(lost.urls.filter((url) => url.includes('/import')).length, 2);
    const busy = productsOf(
      'busy',
      onAttempts('/import', async () => refusal(503, 'OverCapacity', { 'retry-after': '600' })),
    );
    await assert.rejects(collect(busy.products.import(drafts(1))), UnavailableError);
    await assert.rejects(
      collect(productsOf('wrong').products.import(drafts(1), { mode: 'both' as 'merge' })),
      InvalidRequestError,
    );
    const controller = new AbortController();
    const { products } = productsOf('aborted');
    await assert.rejects(async () => {
      for await (const _ of products.import(drafts(600), { signal: controller.signal }))
        controller.abort(new RangeError());
    }, RangeError);
  });
});

describe('export', () => {
  test('streams what matches, and tells where the events go on', async () => {
    const { products, client } = productsOf('exported');
    await collect(products.import(drafts(250)));
    const all = products.export();
    const resources = await collect(all);
    assert.deepEqual(
      resources.map(({ id }) => id),
      resources.map(({ id }) => id).sort(),
    );
    assert.equal(new Set(resources.map(({ key }) => key)).size, 250);
    const some = await collect(
      products.export({ where: [where`size > ${10}`, 'size <= :most'], variables: { most: 12 } }),
    );
    assert.deepEqual(some.map(({ size }) => size).sort(), [11, 12]);
    await products.delete({ key: 'k1' });
    for await (const { type } of client.events({ after: all.eventsAfter! })) {
      assert.equal(type, 'deleted');
      break;
    }
  });

  test('goes on behind the last resource where the connection was lost; whoever stops early gets no more', async () => {
    const { baseUrl } = clients;
    const interfere = onAttempts('/export', cutAfter(80, baseUrl), cutAfter(1, baseUrl), cutAfter(0, baseUrl));
    const { products, urls } = productsOf('cut', interfere);
    await collect(products.import(drafts(120)));
    const resources = await collect(products.export());
    assert.equal(new Set(resources.map(({ key }) => key)).size, 120);
    assert.equal(resources.length, 120);
    assert.equal(urls.filter((url) => url.includes('/export')).length, 4);
    for await (const { id } of products.export({ after: resources[99]!.id })) {
      assert.equal(id, resources[100]!.id);
      break;
    }
  });

  test('goes on where a download ends early without an error, as behind nginx', async () => {
    const { baseUrl } = clients;
    const endAfter = (count: number) => async (url: string, init: RequestInit | undefined, send: typeof fetch) => {
      const lines = (await (await send(`${baseUrl}${url}`, init)).text()).split('\n').slice(0, count);
      return new Response(lines.map((line) => `${line}\n`).join(''), { status: 200 });
    };
    const { products, urls } = productsOf('short', onAttempts('/export', endAfter(30), endAfter(0)));
    await collect(products.import(drafts(50)));
    assert.equal(new Set((await collect(products.export())).map(({ key }) => key)).size, 50);
    assert.equal(urls.filter((url) => url.includes('/export')).length, 3);
  });

  test('throws what the service refuses', async () => {
    const { products } = productsOf('refusals');
    await assert.rejects(collect(products.export({ where: 'size =' })), InvalidRequestError);
    const other = productsOf('others', async (url, init, send) =>
      send(`${clients.baseUrl}${url.replace('/others/', '/elsewhere/')}`, init),
    );
    await assert.rejects(collect(other.products.export()), PermissionError);
  });
});

describe('stream', () => {
  test('returns the response of an export in CSV as it arrives, with a new token where the first was refused', async () => {
    const refuse = async () => refusal(401, 'invalid_token');
    const { client, urls } = productsOf('streamed', onAttempts('format=csv', refuse));
    const lines = ['key,size', 'a,1'].map((line) => `${line}\n`).join('');
    const headers = { 'content-type': 'text/csv', accept: '*/*' };
    const body = new TextEncoder().encode(lines);
    assert.equal((await client.stream({ method: 'POST', path: '/resource/import', headers, body })).status, 200);
    const response = await client.stream({ method: 'GET', path: '/resource/export?format=csv&fields=key,size' });
    assert.equal((await response.text()).replaceAll('\r', ''), lines);
    assert.equal(urls.filter((url) => url.includes('/oauth/token')).length, 2);
  });

  test('throws what the service refuses, also where it would be worth to try again', async () => {
    const { client } = productsOf(
      'refused',
      onAttempts('/export', undefined, async () => refusal(503, 'OverCapacity')),
    );
    const call = { method: 'GET', path: '/resource/export?where=a%20%3C' } as const;
    await assert.rejects(client.stream(call), InvalidRequestError);
    await assert.rejects(client.stream(call), UnavailableError);
  });
});
