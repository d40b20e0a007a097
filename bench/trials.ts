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

/** A trial as data: what is sent, and the goal as a share of bare node:http in the same minute. */
export interface Trial {
  readonly name: string;
  /** Undefined where the time of a request matters, not how many there are. */
  readonly goalShare?: number;
  /** Goal for the 99th percentile. */
  readonly goalP99Ms?: number;
  readonly expectStatuses: readonly number[];
  /** Of the trial and of its looks at the ceiling; 50 by default. */
  readonly connections?: number;
  readonly beside?: Beside;
  /** It is about the caches of the embedded store: on PostgreSQL another trial says the same. */
  readonly ofMemory?: true;
  /** Each request can be sent once: what judges beside our own client takes resources of its own. */
  readonly once?: true;
  readonly make: (stage: Stage) => MakeRequest;
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

/** The same pages by queries that were never sent before, so that none is served from the cache. */
function newLists(stage: Stage): MakeRequest {
  return (n) => {
    const where = encodeURIComponent(`shelf in ("shelf-${n % 20}", "none-${n}")`);
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

/** Keys of one series are never those of another. */
let series = 0;
function nextSeries(): number {
  series += 1;
  return series;
}

/** New lists, and after each 99 of them a create, which may change what they find. */
function listsAndCreates(stage: Stage): MakeRequest {
  const [list, create] = [newLists(stage), creates(stage)];
  return (n) => (n % 100 === 99 ? create(n) : list(n));
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
    goalShare: 0.6,
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
    once: true,
    make: listsAndCreates,
  },
  { name: 'update by an action', goalShare: 0.25, goalP99Ms: 15, expectStatuses: [200], once: true, make: updates },
  { name: 'create', goalShare: 0.2, goalP99Ms: 15, expectStatuses: [201], once: true, make: creates },
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
    once: true,
    make: creates,
  },
];
