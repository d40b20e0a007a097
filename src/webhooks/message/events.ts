import { ServiceError } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import { DamagedData } from '../../domain/damaged-data.ts';
import { digestOf, encodePosition } from '../../domain/history/cursor.ts';
import { type Described, dataText, describeChanges, eventOf, eventText } from '../../domain/history/event.ts';
import { documentsBefore } from '../../domain/history/replaced.ts';
import type { HistorySource } from '../../domain/history/walk.ts';
import { type ChangeFilter, type ChangePage, type LoggedChange, noResource } from '../../domain/ports/change-log.ts';
import { match } from '../../domain/predicate/match.ts';
import { parsePredicate } from '../../domain/predicate/parse.ts';
import type { SubscriptionFields } from '../subscription/subscription.ts';
import type { Message } from './send.ts';

type Wanted = Pick<SubscriptionFields, 'types' | 'where'>;

/**
 * The changes that a subscription is for, in their order. `where` is evaluated on the resource after the change, of a
 * deletion on the deleted one; a document of the backend is no resource, so none satisfies it. A change whose resource
 * can no longer be rebuilt is never left out: a receiver can ignore a surplus event, but cannot miss one.
 */
export async function selectChanges(
  source: HistorySource,
  projectKey: string,
  { types, where }: Wanted,
  changes: readonly LoggedChange[],
): Promise<readonly LoggedChange[]> {
  const ofType = types === undefined ? changes : changes.filter(({ origin }) => types.includes(origin.type));
  if (where === undefined || ofType.length === 0) return ofType;
  const predicate = parsePredicate(where, { variables: undefined });
  const ofResources = ofType.filter(({ id }) => id !== noResource);
  const described = await describe(source, projectKey, ofResources, true);
  return described
    .filter(({ change, after }) => {
      const document = after?.current ?? deletedDocument(change);
      return document === undefined || match(predicate, document);
    })
    .map(({ change }) => change);
}

/** The id of the resource of a change; of a document of the backend its name, which a resource may have as well. */
export function subjectOf({ id, key }: LoggedChange): string {
  return id === noResource ? key! : id;
}

function deletedDocument({ origin, before }: LoggedChange): JsonObject | undefined {
  return origin.type === 'deleted' ? documentsBefore(before, undefined)?.current : undefined;
}

/** The message of a change: its event as the feed of the project shows it, with the resource if that is asked for. */
export async function messageOf(
  source: HistorySource,
  projectKey: string,
  epoch: string,
  change: LoggedChange,
  include: SubscriptionFields['include'],
): Promise<Message> {
  const id = messageIdOf(epoch, change);
  const [described] = await describe(source, projectKey, [change], include === 'resource');
  const { event, after } = described!;
  return { id, body: eventText(id, event, after && dataText(after)) };
}

/** The id of the event in the feed: every process and every attempt sends a change with this id. */
export function messageIdOf(epoch: string, change: LoggedChange): string {
  return encodePosition({ epoch, sequence: change.sequence, digest: digestOf(change) });
}

/** Changes with what their events show. A damaged row takes the documents from the events that need it, nothing else. */
async function describe(
  source: HistorySource,
  projectKey: string,
  changes: readonly LoggedChange[],
  withDocuments: boolean,
): Promise<readonly Described[]> {
  try {
    return await describeChanges(source, projectKey, changes, withDocuments);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'DataCorruption') throw error;
    const [change] = changes;
    if (changes.length === 1) return [{ change: change!, event: eventOf(change!, undefined) }];
    const described: Described[] = [];
    for (const one of changes) described.push(...(await describe(source, projectKey, [one], withDocuments)));
    return described;
  }
}

interface PassedPage extends ChangePage {
  /** The record of the change at `upTo` is damaged. */
  readonly isDamaged?: true;
}

/** Reads the log. Of a change whose record is damaged nothing is known: it is passed over. */
export async function changesPassing(
  { log }: HistorySource,
  projectKey: string,
  after: number,
  limit: number,
  filter?: ChangeFilter,
): Promise<PassedPage> {
  try {
    return await log.changesAfter(projectKey, after, limit, filter);
  } catch (error) {
    const sequence = error instanceof DamagedData ? error.place.sequence : undefined;
    if (sequence === undefined) throw error;
    return { changes: [], upTo: sequence, isDamaged: true };
  }
}
