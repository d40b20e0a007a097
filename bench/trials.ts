import { draft } from './documents.ts';
import type { MakeRequest } from './load.ts';

/** What a trial needs to know of the running service. */
export interface Stage {
  readonly token: string;
  readonly project: string;
  /** Keys of the resources that were filled in, `r-0` … `r-<count - 1>`; ids by the same number. */
  readonly count: number;
  readonly idOf: (n: number) => string;
}

/** Requests that are sent while a trial runs, over connections of their own, and are not counted. */
export interface Beside {
  readonly connections: number;
  /** Between a response and the next request of its connection. */
  readonly pauseMs: number;
  readonly make: (stage: Stage) => MakeRequest;
}

/** Shares by the size of the store: that of the first row whose number of resources the store does not exceed. */
export type SharesBySize = readonly (readonly [mostResources: number, share: number])[];

/** A trial as data: what is sent, and the goal as a share of bare node:http in the same minute. */
export interface Trial {
  readonly name: string;
  /** Undefined where the time of a request matters, not how many there are, and where nobody set a goal. */
  readonly goalShare?: number | SharesBySize;
  /** Goal for the 99th percentile. */
  readonly goalP99Ms?: number;
  readonly expectStatuses: readonly number[];
  /** Of the trial and of its looks at the ceiling; 50 by default. */
  readonly connections?: number;
  readonly beside?: Beside;
  /** It is about the caches of the embedded store: on PostgreSQL another trial says the same. */
  readonly ofMemory?: true;
  /** Requests change what they are about: what judges beside our own client takes resources of its own. */
  readonly writes?: true;
  /** Makes the requests of one client: those of another client are never the same where a request can be sent once. */
  readonly make: (stage: Stage) => MakeRequest;
}

/** The goal of a trial for a store of a size, as a share of bare node:http, or undefined. */
export function goalShareOf({ goalShare }: Trial, resources: number): number | undefined {
  if (goalShare === undefined || typeof goalShare === 'number') return goalShare;
  return goalShare.find(([mostResources]) => resources <= mostResources)?.[1];
}

/** Deterministic spread over 0 … count − 1. */
export function spread(n: number, count: number): number {
  return (Math.imul(n + 1, 0x9e3779b1) >>> 0) % count;
}

function head(stage: Stage, method: string, path: string): string {
  return `${method} /${stage.project}${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${stage.token}\r\n`;
}

function withBody(start: string, body: string): string {
  return `${start}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Every connection updates its own share of the resources, with the version it saw last: no conflicts. */
function updates(stage: Stage): MakeRequest {
  const versions = new Uint32Array(stage.count).fill(1);
  return (n) => {
    const at = n % stage.count;
    const body = `{"version":${versions[at]},"actions":[{"action":"changeSomeProperty","someProperty":"value ${n}"}]}`;
    versions[at] = (versions[at] ?? 0) + 1;
    return withBody(head(stage, 'POST', `/resource/${stage.idOf(at)}`), body);
  };
}

function filteredList(stage: Stage): MakeRequest {
  return (n) => {
    const where = encodeURIComponent(`shelf = "shelf-${n % 20}"`);
    return `${head(stage, 'GET', `/resource/sorted-query-parameters?where=${where}`)}\r\n`;
  };
}

/** What one series names, in queries and in keys, is never that of another. */
let series = 0;
function nextSeries(): number {
  series += 1;
  return series;
}

/** The same pages by queries that were never sent before, so that none is served from the cache. */
function newLists(stage: Stage): MakeRequest {
  const series = nextSeries();
  return (n) => {
    const where = encodeURIComponent(`shelf in ("shelf-${n % 20}", "none-${series}-${n}")`);
    return `${head(stage, 'GET', `/resource/sorted-query-parameters?where=${where}`)}\r\n`;
  };
}

/** Reads spread evenly over the first `among` resources. */
function gets(stage: Stage, among: number): MakeRequest {
  const path = '/resource/';
  const whole = `${head(stage, 'GET', path)}\r\n`;
  const at = whole.indexOf(path) + path.length;
  const [begin, end] = [whole.slice(0, at), whole.slice(at)];
  return (n) => begin + stage.idOf(spread(n, among)) + end;
}

/** Lists, and after each 99 of them a create, which may change what they find and makes the store forget its pages. */
function besideCreates(lists: Trial['make']): Trial['make'] {
  return (stage) => {
    const [list, create] = [lists(stage), creates(stage)];
    return (n) => (n % 100 === 99 ? create(n) : list(n));
  };
}

const largeText = 'linen cotton wool '.repeat(58_000);

/** Documents of 1 MiB, few of them: each is overwritten, and then read. */
const largeDocuments: Beside = {
  connections: 2,
  pauseMs: 20,
  make: (stage) => (n) => {
    const key = `large-${(n >> 1) % 4}`;
    // The first ones are there before any is read.
    if (n >= 8 && n % 2 === 1) return `${head(stage, 'GET', `/resource/key=${key}`)}\r\n`;
    return withBody(head(stage, 'PUT', '/resource'), JSON.stringify({ key, brand: `brand-${n}`, text: largeText }));
  },
};

/** 90,000 distinct integers of five digits, in an order that is not theirs: 540 KB. */
const integers = `[${Array.from({ length: 90_000 }, (_, n) => 10_000 + ((n * 7919) % 90_000)).join(',')}]`;

/** New documents with an array of 90,000 integers, of one client: each value is a term of the index. */
const integerDocuments: Beside = {
  connections: 1,
  pauseMs: 20,
  make: (stage) => {
    const key = `integers-${process.pid}-${nextSeries()}`;
    return (n) => withBody(head(stage, 'POST', '/resource'), `{"key":"${key}-${n}","integers":${integers}}`);
  },
};

const creates = (stage: Stage): MakeRequest => {
  const series = `new-${process.pid}-${nextSeries()}`;
  return (n) => withBody(head(stage, 'POST', '/resource'), JSON.stringify(draft(n, `${series}-${n}`)));
};

export const trials: readonly Trial[] = [
  {
    name: 'GET by id, 1,000 cached',
    goalShare: 0.8,
    goalP99Ms: 6,
    expectStatuses: [200],
    ofMemory: true,
    make: (stage) => gets(stage, Math.min(1000, stage.count)),
  },
  {
    name: 'GET by id, uniform',
    goalShare: [
      [100_000, 0.6],
      [1_000_000, 0.45],
    ],
    goalP99Ms: 6,
    expectStatuses: [200],
    make: (stage) => gets(stage, stage.count),
  },
  {
    name: 'GET by id, 1,000 cached, 200 connections',
    goalP99Ms: 25,
    expectStatuses: [200],
    connections: 200,
    ofMemory: true,
    make: (stage) => gets(stage, Math.min(1000, stage.count)),
  },
  { name: 'list, 20 of the matches', goalShare: 0.25, expectStatuses: [200], make: filteredList },
  { name: 'list, each asked once', goalShare: 0.25, expectStatuses: [200], ofMemory: true, make: newLists },
  {
    name: 'list, each asked once, beside 1 % creates',
    goalShare: 0.25,
    expectStatuses: [200, 201],
    ofMemory: true,
    writes: true,
    make: besideCreates(newLists),
  },
  {
    name: 'list, 20 of the matches, beside 1 % creates',
    expectStatuses: [200, 201],
    ofMemory: true,
    writes: true,
    make: besideCreates(filteredList),
  },
  { name: 'update by an action', goalShare: 0.25, goalP99Ms: 15, expectStatuses: [200], writes: true, make: updates },
  { name: 'create', goalShare: 0.2, goalP99Ms: 15, expectStatuses: [201], writes: true, make: creates },
  {
    name: 'GET by id beside documents of 1 MiB',
    goalP99Ms: 10,
    expectStatuses: [200],
    beside: largeDocuments,
    ofMemory: true,
    make: (stage) => gets(stage, Math.min(1000, stage.count)),
  },
  {
    name: 'create beside documents of 1 MiB',
    goalP99Ms: 25,
    expectStatuses: [201],
    beside: largeDocuments,
    ofMemory: true,
    writes: true,
    make: creates,
  },
  {
    name: 'GET by id beside documents of 90,000 integers',
    expectStatuses: [200],
    beside: integerDocuments,
    ofMemory: true,
    make: (stage) => gets(stage, Math.min(1000, stage.count)),
  },
  {
    name: 'create beside documents of 90,000 integers',
    expectStatuses: [201],
    beside: integerDocuments,
    ofMemory: true,
    writes: true,
    make: creates,
  },
];
