import { FairQueue } from '../../../threads/fair-queue.ts';
import type { Operation, OperationResult } from './messages.ts';

/**
 * Characters of operations that are under way to the writer thread. The writer commits together whatever it has been sent, so the
 * bound limits how long a commit takes, and with it how long the write of another project waits. A larger operation is sent alone.
 */
export const maxCharactersUnderWay = 262_144;

/** An operation that waits, or that is under way to the writer thread. */
export interface QueuedOperation {
  readonly projectKey: string;
  readonly characters: number;
  readonly operation: Operation;
  readonly resolve: (result: OperationResult) => void;
}

/** Operations without a project take turns with the projects. */
const noProject = '';

/** The operations in front of the writer thread. Those of one project keep their order; the projects take turns. */
export class WriteQueue {
  /** Operations that wait here. */
  size = 0;
  readonly #waiting = new FairQueue<QueuedOperation>();
  /** The operation whose turn it is, as long as it does not fit. */
  #next: QueuedOperation | undefined;
  #underWay = 0;

  add(operation: Operation, resolve: QueuedOperation['resolve']): void {
    this.#waiting.add({ projectKey: projectOf(operation), characters: charactersOf(operation), operation, resolve });
    this.size += 1;
  }

  /** The operation to send now; undefined where none waits, or none fits. Call `settle` when its result has come. */
  take(): QueuedOperation | undefined {
    // Nothing is chosen before there is room: what arrives meanwhile may be of a project whose turn comes first.
    if (this.#underWay >= maxCharactersUnderWay) return undefined;
    this.#next ??= this.#waiting.take();
    const next = this.#next;
    const sum = this.#underWay + (next?.characters ?? 0);
    if (next === undefined || (this.#underWay > 0 && sum > maxCharactersUnderWay)) return undefined;
    this.#next = undefined;
    this.size -= 1;
    this.#underWay = sum;
    return next;
  }

  settle({ characters }: QueuedOperation): void {
    this.#underWay -= characters;
  }

  /** From now on all that waits fits, for the end of the writer. */
  flush(): void {
    this.#underWay = Number.NEGATIVE_INFINITY;
  }
}

function projectOf(operation: Operation): string {
  if (operation[0] === 'write') return operation[1].projectKey;
  if (operation[0] === 'group') return operation[1][0] ? projectOf(operation[1][0]) : noProject;
  return typeof operation[1] === 'string' && operation[0] !== 'catchUp' ? operation[1] : noProject;
}

/** The characters of all texts of an operation. */
export function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return 0;
  let characters = 0;
  for (const item of Object.values(value)) characters += charactersOf(item);
  return characters;
}
