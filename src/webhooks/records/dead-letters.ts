import { ServiceError } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { ResourceStore } from '../../domain/ports/resource-store.ts';
import {
  deadLettersOf,
  deleteKept,
  type Kept,
  readKept,
  type SubscriptionRef,
  scanKept,
  writeKept,
} from './records.ts';

/** An event that could not be delivered, complete, so that it can be delivered after the log forgot it. */
export interface DeadLetter {
  /** Unique in the subscription; ascending like `sequence`. */
  readonly id: string;
  /** The `webhook-id` that it had, and keeps. */
  readonly messageId: string;
  readonly sequence: number;
  /** Or the name of a document of the backend. */
  readonly resourceId: string;
  readonly type: string;
  /** ISO 8601: when it was given up. */
  readonly at: string;
  readonly attempts: number;
  /** Of the last attempt: an HTTP status, or what failed. */
  readonly lastFailure: string;
  /** The JSON text that was to be delivered. */
  readonly body: string;
}

/** True if it tells of the resource with this id. */
export function isOfResource({ type, resourceId }: DeadLetter, id: string): boolean {
  return resourceId === id && type !== 'backendDocumentWritten' && type !== 'imageUploaded';
}

/** Wide enough for every safe integer, so that ids sort like numbers. */
const idLength = 16;

const prefixOf = (subscription: SubscriptionRef) => `${subscription.id}/`;

/** The id of the dead letter of a change. */
export const deadLetterId = (sequence: number) => String(sequence).padStart(idLength, '0');

/** Keeps a dead letter. Durable when it resolves; to keep the same one again changes nothing. */
export async function keepDeadLetter(store: ResourceStore, of: SubscriptionRef, letter: DeadLetter): Promise<void> {
  const id = prefixOf(of) + letter.id;
  // Not written where it exists.
  await writeKept(store, deadLettersOf(of.projectKey), { id, version: 0, value: contentOf(letter) }, letter.at);
}

const contentOf = (letter: DeadLetter) => ({ ...letter }) as unknown as JsonObject;
const letterOf = ({ value }: Kept) => value as unknown as DeadLetter;

/** The next dead letters of a subscription after `afterId`, oldest first, at most `limit` (1–500); empty is the end. */
export async function scanDeadLetters(
  store: ResourceStore,
  of: SubscriptionRef,
  afterId: string | undefined,
  limit: number,
  onDamaged: (id: string) => void = () => {},
): Promise<readonly DeadLetter[]> {
  const prefix = prefixOf(of);
  const letters: DeadLetter[] = [];
  let last = prefix + (afterId ?? '');
  while (letters.length < limit) {
    const found = await scanKept(store, deadLettersOf(of.projectKey), last, limit - letters.length, (id) => {
      if (id.startsWith(prefix)) onDamaged(id.slice(prefix.length));
    });
    const own = found.filter(({ id }) => id.startsWith(prefix));
    letters.push(...own.map(letterOf));
    if (own.length === 0 || own.length < found.length) break;
    last = own.at(-1)!.id;
  }
  return letters;
}

/** A dead letter. Throws 404. */
export async function getDeadLetter(store: ResourceStore, of: SubscriptionRef, id: string): Promise<DeadLetter> {
  const kept = await readKept(store, deadLettersOf(of.projectKey), prefixOf(of) + id);
  if (kept !== undefined) return letterOf(kept);
  throw new ServiceError('ResourceNotFound', `The dead letter with ID '${id}' was not found.`);
}

/** Deletes a dead letter, if it is there. */
export function deleteDeadLetter(store: ResourceStore, of: SubscriptionRef, id: string): Promise<void> {
  return deleteKept(store, deadLettersOf(of.projectKey), prefixOf(of) + id);
}

/**
 * Deletes the dead letters of a subscription that `isUnwanted` holds for; by default all of them. Deletes damaged ones as
 * well, which cannot be delivered.
 */
export async function deleteDeadLetters(
  store: ResourceStore,
  of: SubscriptionRef,
  isUnwanted: (letter: DeadLetter) => boolean = () => true,
): Promise<number> {
  let deleted = 0;
  let afterId: string | undefined;
  for (;;) {
    const damaged: string[] = [];
    const letters = await scanDeadLetters(store, of, afterId, 100, (id) => damaged.push(id));
    await Promise.all(damaged.map((id) => deleteDeadLetter(store, of, id)));
    if (letters.length === 0) return deleted;
    const unwanted = letters.filter(isUnwanted);
    await Promise.all(unwanted.map(({ id }) => deleteDeadLetter(store, of, id)));
    deleted += unwanted.length;
    afterId = letters.at(-1)!.id;
  }
}
