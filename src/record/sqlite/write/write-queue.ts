import { FairQueue } from '../../../threads/fair-queue.ts';
import type { Operation } from './messages.ts';

/**
 * Characters of operations that are under way to the writer thread. The writer commits together whatever it has been sent, so the
 * bound limits how long a commit takes, and with it how long the write of another project waits. A larger operation is sent alone.
 */
export const maxCharactersUnderWay = 262_144;

/** Called when an operation is sent. To be called in return, once, when its result has come. */
export type Sent = (settled: () => void) => void;

interface Waiting {
  readonly projectKey: string;
  readonly characters: number;
  readonly operation: Operation;
  readonly sent: Sent;
}

/** Operations without a project take turns with the projects. */
const noProject = '';

/** The operations in front of the writer thread. Those of one project keep their order; the projects take turns. */
export class WriteQueue {
  readonly #send: (operation: Operation) => void;
  readonly #waiting = new FairQueue<Waiting>();
  /** The operation whose turn it is, as long as it does not fit. */
  #next: Waiting | undefined;
  #underWay = 0;

  constructor(send: (operation: Operation) => void) {
    this.#send = send;
  }

  /** Operations that wait here. */
  get size(): number {
    return this.#waiting.size + (this.#next ? 1 : 0);
  }

  /** Sends the operation now, or in its turn. */
  add(operation: Operation, sent: Sent): void {
    this.#waiting.add({ projectKey: projectOf(operation), characters: charactersOf(operation), operation, sent });
    this.#sendWaiting();
  }

  /** Sends all that waits, for the end of the writer. */
  flush(): void {
    this.#underWay = Number.NEGATIVE_INFINITY;
    this.#sendWaiting();
  }

  #sendWaiting(): void {
    // Nothing is chosen before there is room: what arrives meanwhile may be of a project whose turn comes first.
    while (this.#underWay < maxCharactersUnderWay) {
      this.#next ??= this.#waiting.take();
      if (!this.#next || !this.#fits(this.#next)) return;
      const waiting = this.#next;
      this.#next = undefined;
      this.#start(waiting);
    }
  }

  #fits({ characters }: Waiting): boolean {
    return this.#underWay <= 0 || this.#underWay + characters <= maxCharactersUnderWay;
  }

  #start({ operation, characters, sent }: Waiting): void {
    this.#underWay += characters;
    sent(() => {
      this.#underWay -= characters;
      if (this.size > 0) this.#sendWaiting();
    });
    this.#send(operation);
  }
}

function projectOf(operation: Operation): string {
  if (operation[0] === 'create' || operation[0] === 'update') return operation[1][0];
  if (operation[0] === 'group') return operation[1][0] ? projectOf(operation[1][0]) : noProject;
  return typeof operation[1] === 'string' && operation[0] !== 'catchUp' ? operation[1] : noProject;
}

/** The characters of all texts of an operation. */
export function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (!Array.isArray(value)) return 0;
  let characters = 0;
  for (const item of value) characters += charactersOf(item);
  return characters;
}
