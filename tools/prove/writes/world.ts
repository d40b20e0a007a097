import { setTimeout as pause } from 'node:timers/promises';
import type { ProofRun } from '../proof.ts';
import type { Random } from '../random.ts';
import { NoAnswer, type ProcessAnswer, type ProcessRequest } from '../service-process.ts';
import { breakOff } from './break-off.ts';
import type { Cluster } from './cluster.ts';
import {
  type Attempt,
  answerOf,
  type Followed,
  isAcknowledged,
  now,
  type ReadAttempt,
  type WriteAttempt,
} from './record.ts';
import { requestOf, type Write } from './write.ts';

/** A version of a resource as a client was shown it. */
export interface Seen {
  readonly version: number;
  readonly tag: string | undefined;
}

/** What the clients of a round share: where they write, and all that they did and saw. */
export class World {
  readonly cluster: Cluster;
  readonly random: Random;
  readonly projects: readonly string[];
  readonly token: string;
  readonly writes: WriteAttempt[] = [];
  readonly reads: ReadAttempt[] = [];
  readonly followed: Followed[] = [];
  readonly violations: string[] = [];
  isStopped = false;
  /** Writes that have a response. */
  answered = 0;
  #count = 0;
  readonly #seen = new Map<string, Seen[]>();

  constructor(cluster: Cluster, { random }: ProofRun, projects: readonly string[], token: string) {
    this.cluster = cluster;
    this.random = random;
    this.projects = projects;
    this.token = token;
  }

  /** The name of the next write. */
  name(): string {
    this.#count += 1;
    return `w${this.#count}`;
  }

  /** A version that was shown of a resource: mostly the last one. */
  seen(address: string): Seen | undefined {
    const all = this.#seen.get(address) ?? [];
    return this.random.next() < 0.8 ? all.at(-1) : all[this.random.integer(0, all.length - 1)];
  }

  async #exchange(client: number, request: ProcessRequest): Promise<Pick<Attempt, 'start' | 'end' | 'answer'>> {
    const start = now();
    let answer: Attempt['answer'];
    try {
      answer = await this.cluster.of(client).request({ ...request, token: this.token });
      this.#judge(request, answer);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      answer = error.kind === 'refused' ? 'refused' : 'unknown';
      await pause(20);
    }
    return { start, end: now(), answer };
  }

  #judge({ method = 'GET', path }: ProcessRequest, { status, text }: ProcessAnswer): void {
    if (status < 500 || status === 503) return;
    this.violations.push(`failed: ${method} ${path}: ${status} ${text.slice(0, 500)}`);
  }

  /** What was shown of a resource, for the conditions of later writes. */
  #learn(attempt: Attempt): void {
    const answer = answerOf(attempt);
    if (!answer || !isAcknowledged(attempt) || !answer.text.startsWith('{"id"')) return;
    const { id, version } = JSON.parse(answer.text.split('\n')[0]!) as {
      readonly id: string;
      readonly version: number;
    };
    const all = this.#seen.getOrInsertComputed(`${attempt.project}/${id}`, () => []);
    all.push({ version, tag: answer.headers.etag as string | undefined });
  }

  /**
   * Sends a write. Some have an `Idempotency-Key` and are repeated: at the same time to another process, after the
   * response, or after it was lost.
   */
  async write(client: number, project: string, name: string, write: Write): Promise<WriteAttempt | undefined> {
    const { random } = this;
    const request = requestOf(project, write);
    const isRepeatable = request.method !== 'DELETE' && request.method !== 'PUT' && write.kind !== 'import';
    const isKeyed = isRepeatable && random.next() < 0.4;
    const headersOf = (attempt: number) => ({
      ...{ ...request.headers, 'x-correlation-id': `${name}.${attempt}` },
      ...(isKeyed && { 'idempotency-key': name }),
    });
    const send = async (attempt: number, by: number): Promise<WriteAttempt> => {
      const headers = headersOf(attempt);
      const noted = { ...(await this.#exchange(by, { ...request, headers })), project, name, write };
      this.writes.push(noted);
      this.answered += Number(typeof noted.answer !== 'string');
      this.#learn(noted);
      return noted;
    };
    if (random.next() < 0.06) {
      const start = now();
      const { port } = this.cluster.of(client);
      await breakOff(port, { ...request, headers: headersOf(0), token: this.token }, random);
      this.writes.push({ start, end: now(), answer: 'unknown', project, name, write });
      return isKeyed ? send(1, client) : undefined;
    }
    if (!isKeyed) return send(0, client);
    if (random.next() < 0.5) {
      const [first] = await Promise.all([send(0, client), send(1, client + 1)]);
      if (random.next() < 0.5) await send(2, client + 2);
      return first;
    }
    const first = await send(0, client);
    if (first.answer === 'unknown' || random.next() < 0.5) await send(1, client + 1);
    if (isAcknowledged(first) && write.kind === 'draft' && random.next() < 0.3)
      await this.#reuse(client, name, project, request);
    return first;
  }

  /** The key of a request under another body is refused, and has no effect. */
  async #reuse(client: number, name: string, project: string, request: ProcessRequest): Promise<void> {
    const body = { ...(request.body as object), other: name };
    const headers = { ...request.headers, 'idempotency-key': name, 'x-correlation-id': `${this.name()}.0` };
    const { answer } = await this.#exchange(client, { ...request, body, headers });
    if (typeof answer === 'string' || answer.status === 422 || answer.status === 503) return;
    this.violations.push(
      `reused: ${name} of ${project} with another body: ${answer.status} ${answer.text.slice(0, 200)}`,
    );
  }

  async read(
    client: number,
    project: string,
    read: ReadAttempt['read'],
    request: ProcessRequest,
  ): Promise<ReadAttempt> {
    const noted = { ...(await this.#exchange(client, request)), project, read };
    this.reads.push(noted);
    if (read.kind === 'one' || read.kind === 'key') this.#learn(noted);
    return noted;
  }
}
