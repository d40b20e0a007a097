import { draft } from '../documents.ts';
import type { MakeRequest } from '../load.ts';
import { type Fact, ms } from '../search/report.ts';
import { load } from '../search/stage.ts';
import { cpuSeconds } from '../service.ts';
import { spread } from '../trials.ts';
import { bareTag } from './bare-answer.ts';
import { type Comparison, compare, type Rounds } from './compare.ts';
import { readAs, readFile, upload, writeJson } from './requests.ts';
import { imagesOfVariant, lineItemCount, type Stage } from './stage.ts';

export type Measure = (stage: Stage, rounds: Rounds) => Promise<Fact>;

const count = (value: number) => Math.round(value).toLocaleString('en');

function shareFact(what: string, found: Comparison, beside: string, goal: number | undefined): Fact {
  const { perSecond, otherPerSecond, share, p99Ms, micros, otherMicros } = found;
  const measured = `${(share * 100).toFixed(0)} % (${count(perSecond)}/s beside ${count(otherPerSecond)}/s of ${beside}; p99 ${ms(p99Ms)} ms; ${count(micros)} µs of processor time beside ${count(otherMicros)})`;
  const wanted = goal === undefined ? '' : `≥ ${goal * 100} %`;
  return { what, measured, goal: wanted, met: goal === undefined ? undefined : share >= goal };
}

/** E16 beside bare node:http. */
const measureCart: Measure = async (stage, rounds) => {
  const { service, bare, target } = stage;
  const make = readAs(target, () => '/resource/namespace-action-with-example');
  const ceiling = readFile('GET', () => '/cart');
  const sides = [
    { server: service, make, expectStatus: 200 },
    { server: bare, make: ceiling, expectStatus: 200 },
  ] as const;
  const what = `GET of the cart (E16), ${lineItemCount} line items, ${count(stage.cartBytes)} bytes`;
  return shareFact(what, await compare(...sides, rounds), 'bare node:http', 0.4);
};

/** E18 beside the create of a resource: both are one durable write. */
const measurePut: Measure = async ({ service, target }, rounds) => {
  const text = 'y'.repeat(1000);
  const value = writeJson(target, 'PUT', '/resource/json-serializable-primitive-type', (n) => `"${n} ${text}"`);
  const create = writeJson(target, 'POST', '/resource', (n) => JSON.stringify(draft(n, `new-${process.pid}-${n}`)));
  const sides = [
    { server: service, make: value, expectStatus: 200 },
    { server: service, make: create, expectStatus: 201 },
  ] as const;
  return shareFact('PUT of a value of 1 KB (E18)', await compare(...sides, rounds), 'creates of 1 KB', 0.5);
};

interface FileTrial {
  readonly what: string;
  readonly method: 'GET' | 'HEAD';
  readonly among: number;
  readonly status: number;
  readonly goal?: number;
}

async function compareFile(stage: Stage, rounds: Rounds, { method, among, status }: FileTrial): Promise<Comparison> {
  const { service, bare, images } = stage;
  const pathOf = (n: number) => images[spread(n, among)] ?? '';
  const condition = (tag: string) => (status === 304 ? `if-none-match: ${tag}\r\n` : '');
  const side = (make: MakeRequest, server: Stage['service']) => ({ server, make, expectStatus: status });
  return compare(
    side(readFile(method, pathOf, condition('*')), service),
    side(
      readFile(method, () => '/image', condition(bareTag)),
      bare,
    ),
    { ...rounds, isBodyless: method === 'HEAD' || status === 304 },
  );
}

const fileTrials: readonly FileTrial[] = [
  { what: 'GET of an image of 50 KB, 20 of them', method: 'GET', among: 20, status: 200, goal: 0.5 },
  { what: 'GET of an image of 50 KB, 800 of them', method: 'GET', among: 800, status: 200 },
  { what: 'HEAD of an image, 20 of them', method: 'HEAD', among: 20, status: 200, goal: 0.5 },
  { what: 'GET of an image that the client has (304)', method: 'GET', among: 20, status: 304, goal: 0.5 },
];

/** An image of 2 megapixels, one after the other, while a client reads resources at a moderate rate. */
async function measureUploads(stage: Stage, rounds: Rounds): Promise<readonly Fact[]> {
  const { service, target, photograph, ids } = stage;
  const uploadMs = rounds.ms * 6;
  const reads = readAs(target, (n) => `/resource/${ids[spread(n, ids.length)]}`);
  const reading = { connections: 10, requests: 1e9, make: reads, pauseMs: 10 };
  const make = upload(target, photograph, 'image/jpeg', (n) => `variant=${1000 + Math.floor(n / imagesOfVariant)}`);
  // The first upload loads the library.
  await load(service, { connections: 1, requests: 3, ms: 60_000, make }, 200);
  const alone = await load(service, { ...reading, ms: uploadMs / 2 }, 200);
  const cpuBefore = cpuSeconds(service);
  const begun = performance.now();
  const uploading = load(service, { connections: 4, requests: 1e9, ms: uploadMs, make: (n) => make(n + 3) }, 200);
  const meanwhile = await load(service, { ...reading, ms: uploadMs }, 200);
  const uploads = await uploading;
  const seconds = (performance.now() - begun) / 1000;
  const cpu = cpuSeconds(service) - cpuBefore;
  const perSecond = uploads.requests / seconds;
  return [
    {
      what: `Upload of a JPEG of 2 megapixels (${count(photograph.length)} bytes), with its five renditions`,
      measured: `${perSecond.toFixed(1)}/s on ${(cpu / seconds).toFixed(2)} cores in all; ${ms((cpu * 1000) / uploads.requests)} ms of processor time each; p99 ${ms(uploads.p99Ms)} ms with 4 at once`,
      goal: '≥ 8/s',
      met: perSecond >= 8,
    },
    {
      what: `GET by id meanwhile, ${count(meanwhile.perSecond)}/s`,
      measured: `p99 ${ms(meanwhile.p99Ms)} ms (without uploads ${ms(alone.p99Ms)} ms)`,
      goal: 'p99 ≤ 50 ms',
      met: meanwhile.p99Ms <= 50,
    },
  ];
}

/** All measurements by name, in their order. */
export const measures: readonly (readonly [
  name: string,
  run: (stage: Stage, rounds: Rounds) => Promise<readonly Fact[]>,
])[] = [
  ['cart', async (stage, rounds) => [await measureCart(stage, rounds)]],
  ['put', async (stage, rounds) => [await measurePut(stage, rounds)]],
  ...fileTrials.map(
    (trial) =>
      [
        `file ${trial.what}`,
        async (stage: Stage, rounds: Rounds) => [
          shareFact(trial.what, await compareFile(stage, rounds, trial), 'bare node:http', trial.goal),
        ],
      ] as const,
  ),
  ['upload', measureUploads],
];
