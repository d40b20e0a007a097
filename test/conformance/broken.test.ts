import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { allChecks, type Endpoint, endpoints, openApi, runChecks } from '#conformance';
import { sampleOf } from '../rounds.ts';
import { startTestApi, type TestApi } from '../start-test-api.ts';

/**
 * The service with one thing broken at a time, which the checks of the endpoint must notice: one thing of three of each
 * endpoint in a run, the others with other seeds.
 */

/** What is asked of the service instead of what was asked. */
interface Asked {
  method: string;
  readonly url: URL;
  readonly headers: Record<string, string | undefined>;
  body: Buffer;
}

/** What the service answered, to be changed. */
interface Answered {
  status: number;
  readonly headers: Record<string, string | readonly string[] | undefined>;
  text: string;
}

interface Fault {
  readonly asks?: (asked: Asked) => void;
  readonly answers?: (answered: Answered, asked: Asked) => void;
}

const paths: readonly (readonly [endpoint: Endpoint, method: string, path: RegExp])[] = [
  ['E4', 'GET', /^\/searchApiPattern$/],
  ['E4', 'POST', /^\/searchApiPattern$/],
  ['E12', 'GET', /^\/sorted-query-parameters$/],
  ['E9', 'POST', /^\/artificially-complex\//],
  ['E13', 'POST', /^\/images$/],
  ['E14', 'POST', /^\/namespace-action$/],
  ['E15', 'GET', /^\/namespace-action$/],
  ['E16', 'GET', /^\/namespace-action-with-example$/],
  ['E17', 'GET', /^\/namespace-action-with-headers$/],
  ['E18', 'PUT', /^\/json-serializable-primitive-type$/],
  ['E1', 'GET', /^$/],
  ['E5', 'HEAD', /^$/],
  ['E6', 'POST', /^$/],
  ['E7', 'PATCH', /^$/],
  ['E8', 'PUT', /^$/],
  ['E3', 'GET', /^\/key=[^/]+$/],
  ['E2', 'GET', /^\/[^/]+$/],
  ['E10', 'POST', /^\/[^/]+$/],
  ['E11', 'DELETE', /^\/[^/]+$/],
];

function endpointOf(method: string, pathname: string): Endpoint | undefined {
  const path = /^\/[^/]+\/resource(.*)$/.exec(pathname)?.[1];
  if (path === undefined) return undefined;
  return paths.find(([, known, form]) => known === method && form.test(path))?.[0];
}

/** Changes the JSON of an answer that has some. */
// biome-ignore lint/suspicious/noExplicitAny: answers of any shape.
const json = (change: (body: any) => unknown): Fault => ({
  answers(answered) {
    if (answered.status >= 300 || answered.text === '') return;
    const body = JSON.parse(answered.text);
    answered.text = JSON.stringify(change(body) ?? body);
  },
});
const without = (...names: readonly string[]): Fault => ({
  asks: ({ url }) => {
    for (const name of names) url.searchParams.delete(name);
  },
});
const withoutHeader = (name: string): Fault => ({
  asks: ({ headers }) => {
    delete headers[name];
  },
});
const status = (from: number, to: number): Fault => ({
  answers(answered) {
    if (answered.status === from) answered.status = to;
  },
});
const type = (value: string): Fault => ({
  answers({ headers }) {
    headers['content-type'] = value;
  },
});
const body = (name: string): Fault => ({
  asks(asked) {
    const sent = JSON.parse(asked.body.toString());
    delete sent[name];
    asked.body = Buffer.from(JSON.stringify(sent));
  },
});

const conditions = [
  ...['stringParameter', 'booleanParameter', 'floatParameter', 'integerParameter', 'withMarkdownDescription'],
  ...['objectParameter', 'arrayOfString', 'arrayOfStringWithDescription', 'unionParameter'],
];
const wrongCarts: readonly (readonly [name: string, value: unknown])[] = [
  ...(['cartId', 'cartVersion'] as const).map((name) => [name, 5] as const),
  ...(['lineItems', 'payments', 'discountCodes'] as const).map((name) => [name, {}] as const),
  ...(['shippingAddress', 'billingAddress', 'sum'] as const).map((name) => [name, 'none'] as const),
];
const wrongItems: readonly (readonly [name: string, value: unknown])[] = [
  ...(['lineItemId', 'productId', 'name', 'type', '_url'] as const).map((name) => [name, 1] as const),
  ...(['discountTexts', 'discounts', 'price', 'totalPrice', 'variant'] as const).map((name) => [name, null] as const),
  ...[['count', '2'] as const, ['count', 1.5] as const, ['isGift', 'no'] as const],
];

const faults: readonly (readonly [endpoint: Endpoint, name: string, fault: Fault])[] = [
  ...conditions.flatMap((name) =>
    (['E1', 'E5'] as const).map((endpoint) => [endpoint, `ignores ${name}`, without(name)] as const),
  ),
  ...['where', 'sort', 'limit', 'offset', 'withTotal', 'expand', 'staged'].map(
    (name) => ['E12', `ignores ${name}`, without(name)] as const,
  ),
  ...['text.en', 'text.de', 'fuzzy', 'staged', 'filter', 'filter.query', 'filter.facets', 'facet', 'sort', 'limit'].map(
    (name) => ['E4', `ignores ${name}`, without(name)] as const,
  ),
  ['E4', 'ignores offset', without('offset')],
  ['E4', 'ignores fuzzyLevel', without('fuzzyLevel')],
  ...['filename', 'variant', 'sku', 'staged'].map((name) => ['E13', `ignores ${name}`, without(name)] as const),
  ['E9', 'ignores queryParameterOne', without('queryParameterOne')],
  ['E11', 'ignores version', without('version')],
  ...(['E6', 'E7', 'E8'] as const).flatMap(
    (endpoint) =>
      [
        [endpoint, 'ignores If-Match', withoutHeader('if-match')],
        [endpoint, 'ignores If-None-Match', withoutHeader('if-none-match')],
        [endpoint, 'ignores the version in the draft', body('version')],
        [endpoint, 'ignores the id in the draft', body('id')],
        [endpoint, 'ignores the key in the draft', body('key')],
        [endpoint, 'answers 200', status(201, 200)],
        [endpoint, 'answers without a version', json(({ version: _, ...others }) => others)],
        [endpoint, 'answers a version that is a text', json((one) => ({ ...one, version: String(one.version) }))],
        [endpoint, 'says text/plain', type('text/plain')],
      ] as const,
  ),
  ['E6', 'ignores Idempotency-Key', withoutHeader('idempotency-key')],
  ['E9', 'answers 200 to the first write', status(201, 200)],
  ['E9', 'ignores Accept', withoutHeader('accept')],
  ['E9', 'answers without arrays', json(({ arrayOfIntExample: _, ...others }) => others)],
  ['E10', 'ignores the actions', body('actions')],
  ['E10', 'answers 200 to a conflict', status(409, 200)],
  ['E10', 'answers another resource', json((one) => ({ ...one, id: 'another' }))],
  ['E10', 'answers the version before', json((one) => ({ ...one, version: one.version - 1 }))],
  [
    'E10',
    'takes staged actions for current ones',
    {
      asks(asked) {
        asked.body = Buffer.from(asked.body.toString().replaceAll('"staged":true', '"staged":false'));
      },
    },
  ],
  ['E11', 'answers another resource', json((one) => ({ ...one, id: 'another' }))],
  ['E11', 'answers 204', status(200, 204)],
  [
    'E11',
    'deletes nothing',
    {
      asks(asked) {
        asked.method = 'GET';
      },
    },
  ],
  ['E2', 'answers another resource', json((one) => ({ ...one, id: 'another' }))],
  ['E2', 'answers without objectTypeProperty', json(({ objectTypeProperty: _, ...others }) => others)],
  ['E2', 'ignores If-None-Match', withoutHeader('if-none-match')],
  ['E2', 'rounds integers', json(() => undefined)],
  ['E2', 'says text/html', type('text/html')],
  ['E2', 'answers 200 for what is not there', status(404, 200)],
  ['E3', 'answers another resource', json((one) => ({ ...one, key: 'another' }))],
  ['E1', 'answers without the arrays', json(({ arrayOfIntExample: _, ...others }) => others)],
  ['E1', 'answers a wrong count', json((page) => ({ ...page, count: page.count + 1 }))],
  ['E5', 'answers 200 always', status(404, 200)],
  ['E12', 'answers a wrong total', json((page) => ({ ...page, total: (page.total ?? 0) + 1 }))],
  ['E12', 'answers in another order', json((page) => ({ ...page, results: page.results.toReversed() }))],
  ['E12', 'answers 200 to a wrong query', status(400, 200)],
  [
    'E4',
    'counts one too many in facets',
    json((page) => {
      for (const facet of Object.values<{ terms?: { count: number }[] }>(page.facets ?? {}))
        for (const term of facet.terms ?? []) term.count += 1;
    }),
  ],
  ['E4', 'answers 200 to a wrong query', status(400, 200)],
  ['E13', 'takes any format', status(415, 200)],
  ['E13', 'lets everybody upload', status(403, 200)],
  ['E13', 'answers without images', json((one) => ({ ...one, images: [] }))],
  ['E14', 'answers 500', status(200, 500)],
  ['E15', 'answers an empty document', json(() => ({}))],
  ...wrongCarts.map(
    ([name, value]) =>
      ['E16', `answers ${name} as ${JSON.stringify(value)}`, json((cart) => ({ ...cart, [name]: value }))] as const,
  ),
  ...wrongItems.map(
    ([name, value]) =>
      [
        'E16',
        `answers ${name} of line items as ${JSON.stringify(value)}`,
        json((cart) => {
          for (const item of cart.lineItems) item[name] = value;
        }),
      ] as const,
  ),
  [
    'E16',
    'answers amounts as texts',
    json((cart) => {
      cart.sum.centAmount = String(cart.sum.centAmount);
    }),
  ],
  [
    'E16',
    'answers a variant whose images are objects',
    json((cart) => {
      for (const item of cart.lineItems) item.variant.images = [{}];
    }),
  ],
  ['E17', 'takes any Path-Header', status(400, 200)],
  ['E17', 'answers no cart', json(() => ({}))],
  ['E18', 'answers without the value', json(() => ({ stored: true }))],
  ['access', 'lets a reader write', status(403, 200)],
  ['access', 'lets everybody in', status(401, 200)],
];

describe('conformance: one thing broken at a time is noticed', () => {
  let api: TestApi;
  let server: Server;
  let fault: { readonly endpoint: Endpoint; readonly fault: Fault } | undefined;
  let access: { manage: string; view: string };

  before(async () => {
    api = await startTestApi();
    const address = await api.listen();
    access = {
      manage: await api.token('manage_test:p manage_products:p'),
      view: await api.token('view_test:p'),
    };
    server = createServer((incoming, outgoing) => void pass(address, incoming, outgoing));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    server?.closeAllConnections();
    server?.close();
    await api?.close();
  });

  async function pass(address: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const sent = Buffer.concat(await incoming.toArray());
    const url = new URL(incoming.url!, address);
    const isBroken =
      fault !== undefined &&
      (fault.endpoint === 'access' || endpointOf(incoming.method!, url.pathname) === fault.endpoint);
    // What is compressed could not be changed.
    const headers = { ...incoming.headers, 'accept-encoding': 'identity' } as Asked['headers'];
    const asked: Asked = { method: incoming.method!, url, headers, body: sent };
    if (isBroken) {
      try {
        fault!.fault.asks?.(asked);
      } catch {
        // A body that is no JSON is passed on as it is.
      }
      asked.headers['content-length'] = String(asked.body.length);
    }
    const forward = request(
      asked.url,
      { method: asked.method, headers: asked.headers as Record<string, string> },
      async (response) => {
        const bytes = Buffer.concat(await response.toArray());
        const isText = isBroken && fault!.fault.answers !== undefined;
        const answered: Answered = {
          status: response.statusCode!,
          headers: { ...response.headers },
          text: isText ? bytes.toString() : '',
        };
        if (isText) fault!.fault.answers!(answered, asked);
        const { 'content-length': _length, 'transfer-encoding': _encoding, ...kept } = answered.headers;
        outgoing.writeHead(answered.status, kept as Record<string, string>);
        outgoing.end(isText ? answered.text : bytes);
      },
    );
    forward.end(asked.body);
  }

  async function deviationsOf(endpoint: Endpoint, broken: Fault | undefined): Promise<readonly (string | undefined)[]> {
    const { port } = server.address() as { port: number };
    const baseUrl = `http://127.0.0.1:${port}`;
    fault = broken && { endpoint, fault: broken };
    try {
      const own = openApi({ baseUrl, project: 'p', tokens: access, timeoutMs: 60_000 });
      const checks = allChecks.filter((check) => check.endpoint === endpoint);
      const results = await runChecks(own, checks);
      return results.map(({ claim, deviation }) => deviation && `${claim}: ${deviation}`);
    } finally {
      fault = undefined;
    }
  }

  test('nothing is noticed where nothing is broken', async () => {
    for (const endpoint of Object.keys(endpoints) as Endpoint[]) {
      const found = (await deviationsOf(endpoint, {})).filter((each) => each !== undefined);
      assert.deepEqual(found, [], endpoint);
    }
  });

  const tried = [...Map.groupBy(faults, ([endpoint]) => endpoint).values()].flatMap((those) => sampleOf(those, 3));
  for (const [endpoint, name, broken] of tried) {
    test(`${endpoint} ${name}`, async () => {
      const found = await deviationsOf(endpoint, broken);
      assert.ok(
        found.some((each) => each !== undefined),
        'it was not noticed',
      );
    });
  }

  for (const endpoint of Object.keys(endpoints).filter((each) => each !== 'access') as Endpoint[]) {
    test(`${endpoint} is not there: no check of it succeeds`, async () => {
      const missing: Fault = {
        answers(answered) {
          answered.status = 404;
          answered.headers['content-type'] = 'text/plain';
          answered.text = 'Not found';
        },
      };
      const found = await deviationsOf(endpoint, missing);
      const claims = allChecks.filter((check) => check.endpoint === endpoint).map(({ claim }) => claim);
      assert.deepEqual(
        claims.filter((_, at) => found[at] === undefined),
        [],
      );
    });
  }
});
