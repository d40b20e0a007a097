import { setTimeout as pause } from 'node:timers/promises';
import { nodeArgsOf } from './controls.ts';
import { storeOf, unavailability, untilReady } from './database.ts';
import type { Proof, ProofRun, Verdict } from './proof.ts';
import { findViolations, type Operation } from './race-history.ts';
import {
  dataFolder,
  NoAnswer,
  type ProcessAnswer,
  type ProcessRequest,
  type ServiceProcess,
  startService,
} from './service-process.ts';
import { waitUntil } from './wait-until.ts';

const updaters = 24;
const readers = 8;
const resources = ['r0', 'r1', 'r2', 'r3'];
/** Acknowledged writes before a kill, and before the end of a round; then it goes on for a while. */
const writesOfHalf = 60;
const longestMs = 1000;

const now = () => Number(process.hrtime.bigint());

interface Document {
  readonly version: number;
  readonly someProperty: string;
}

/** What the clients of one round did and saw. */
class Round {
  readonly operations: Operation[] = [];
  readonly violations: string[] = [];
  readonly #run: ProofRun;
  readonly #project: string;
  service: ServiceProcess;
  token = '';
  acknowledged = 0;
  stopped = false;

  constructor(service: ServiceProcess, run: ProofRun, project: string) {
    this.service = service;
    this.#run = run;
    this.#project = project;
  }

  /** A request that may find the service gone: then what is known of it, after a short while. */
  async #attempt(request: ProcessRequest): Promise<ProcessAnswer | 'refused' | 'unknown'> {
    try {
      const answer = await this.service.request({ ...request, token: this.token });
      const unavailable = unavailability(this.#run, answer);
      if (unavailable) await pause(20);
      return unavailable ?? answer;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      await pause(20);
      return error.kind === 'refused' ? 'refused' : 'unknown';
    }
  }

  async read(resource: string): Promise<Document | undefined> {
    const start = now();
    const answer = await this.#attempt({ path: `/${this.#project}/resource/${resource}` });
    if (typeof answer === 'string') return undefined;
    if (answer.status !== 200) {
      this.violations.push(`refused: read of ${resource}: ${answer.status} ${answer.text}`);
      return undefined;
    }
    const { version, someProperty: value } = JSON.parse(answer.text) as Document;
    this.operations.push({ kind: 'read', resource, start, end: now(), version, value, outcome: 'acknowledged' });
    return { version, someProperty: value };
  }

  async keepReading(): Promise<void> {
    while (!this.stopped) await this.read(this.#run.random.pick(resources));
  }

  /** Updates in the version that the client saw last; after a conflict, in the one that the response names. */
  async keepUpdating(client: number): Promise<void> {
    const seen = new Map<string, number>();
    for (let n = 0; !this.stopped; n += 1) {
      const resource = this.#run.random.pick(resources);
      const known = seen.get(resource) ?? (await this.read(resource))?.version;
      if (known !== undefined) seen.set(resource, (await this.#update(resource, known, `client ${client}, ${n}`)) ?? 0);
      if (seen.get(resource) === 0) seen.delete(resource);
    }
  }

  /** Returns the version to go on from; undefined where nothing is known. */
  async #update(resource: string, known: number, value: string): Promise<number | undefined> {
    const body = { version: known, actions: [{ action: 'changeSomeProperty', someProperty: value }] };
    const start = now();
    const answer = await this.#attempt({ method: 'POST', path: `/${this.#project}/resource/${resource}`, body });
    const write = { kind: 'write', resource, start, end: now(), version: known + 1, value } as const;
    if (typeof answer === 'string') {
      if (answer === 'unknown') this.operations.push({ ...write, outcome: 'unknown' });
      return undefined;
    }
    const json = JSON.parse(answer.text);
    if (answer.status === 409) return json.errors[0].currentVersion as number;
    if (answer.status !== 200) {
      this.violations.push(`refused: update of ${resource}: ${answer.status} ${answer.text}`);
      return undefined;
    }
    this.acknowledged += 1;
    this.operations.push({ ...write, version: json.version, outcome: 'acknowledged' });
    if (json.version === known + 1) return json.version;
    this.violations.push(`overwritten: ${resource}: an update of version ${known} made version ${json.version}`);
    return json.version;
  }

  async create(): Promise<void> {
    for (const id of resources) {
      const start = now();
      const body = { id, someProperty: 'created' };
      const request = { method: 'POST', path: `/${this.#project}/resource`, token: this.token, body };
      let answer = await this.service.request(request);
      while (unavailability(this.#run, answer) === 'refused') answer = await this.service.request(request);
      if (answer.status !== 201) throw new Error(answer.text);
      const made = { kind: 'write', resource: id, version: 1, value: 'created', outcome: 'acknowledged' } as const;
      this.operations.push({ ...made, start, end: now() });
    }
  }

  /** Goes on until enough was written, and a little longer. */
  async half(clients: Promise<unknown>): Promise<void> {
    const enough = this.acknowledged + writesOfHalf;
    await waitUntil(() => this.acknowledged > enough, clients);
    await pause(this.#run.random.integer(0, longestMs));
  }
}

interface Tally {
  readonly violations: string[];
  readonly figures: { rounds: number; writes: number; reads: number; unknown: number };
}

/** One service with resources of its own: raced for, killed, raced for, compared. */
async function proveRound(run: ProofRun, number: number, tally: Tally): Promise<void> {
  const folder = dataFolder();
  const project = `${run.name}-${number}`;
  const processes = { WORKERS: String(run.random.integer(1, 2)) };
  const environment = { ...storeOf(run), ...processes };
  const launch = { nodeArgs: nodeArgsOf(run.build) };
  try {
    const round = new Round(await startService(folder.path, environment, launch), run, project);
    await untilReady(run, round.service);
    round.token = await round.service.token(`manage_project:${project}`);
    await round.create();
    const clients = Promise.allSettled([
      ...Array.from({ length: updaters }, (_, client) => round.keepUpdating(client)),
      ...Array.from({ length: readers }, () => round.keepReading()),
    ]);
    await round.half(clients);
    const { port } = round.service;
    round.service.kill('SIGKILL');
    await round.service.ended;
    round.service = await startService(folder.path, { ...environment, PORT: String(port) }, launch);
    await round.half(clients);
    round.stopped = true;
    for (const client of await clients) if (client.status === 'rejected') throw client.reason;
    for (const resource of resources) await round.read(resource);
    round.service.kill('SIGTERM');
    const { code } = await round.service.ended;
    if (code !== 0) tally.violations.push(`stop: exit code ${code} after SIGTERM`);
    tally.violations.push(...round.violations, ...findViolations(round.operations));
    count(round.operations, tally);
  } catch (error) {
    tally.violations.push(`start: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    folder.remove();
  }
}

function count(operations: readonly Operation[], { figures }: Tally): void {
  figures.rounds += 1;
  for (const { kind, outcome } of operations) {
    if (outcome === 'unknown') figures.unknown += 1;
    else if (kind === 'write') figures.writes += 1;
    else figures.reads += 1;
  }
}

async function prove(run: ProofRun): Promise<Verdict> {
  const tally: Tally = { violations: [], figures: { rounds: 0, writes: 0, reads: 0, unknown: 0 } };
  const begunMs = performance.now();
  const minutes = () => (performance.now() - begunMs) / 60_000;
  for (let round = 0; round === 0 || minutes() < run.size; round += 1) {
    await proveRound(run, round, tally);
    run.progress(Math.round(minutes() * 10) / 10);
  }
  return tally;
}

export const histories: Proof = {
  claim:
    'What racing clients did and saw, across a SIGKILL, is what one copy would have done and shown: no lost update, no stale read, no version twice.',
  unit: 'minutes',
  size: 30,
  takesDatabase: true,
  // One round is longer.
  controls: [{ build: 'ignores-versions', size: 0.05, kind: /^overwritten: / }],
  prove,
};
