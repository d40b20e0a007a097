import { hash } from 'node:crypto';
import { malformedParameter, ServiceError } from '../../../contract/errors.ts';
import type { ResourceRecord } from '../../ports/resource-store.ts';
import { changesOf, type Resource, type StoredResource } from '../resource.ts';

/**
 * Entity tags (RFC 9110 §8.8.3). The tag of a state of a resource may be followed by what was made of it for a response:
 * `"3-k2f9;fields=4f1a90bc;gzip"`. Such a tag names the state as well, so a write takes it like the tag alone.
 */

/** What an entity tag is made of. */
type Tagged = Pick<ResourceRecord, 'version' | 'incarnation' | 'createdAt'>;

/**
 * The entity tag of a state of a resource: its version, and its incarnation, so that it never matches a resource that was
 * deleted and created again (decision 94). Resources from before there were incarnations have their creation instead.
 */
export function etagOf({ version, incarnation, createdAt }: Tagged): string {
  return `"${version}-${incarnation ?? createdAt}"`;
}

/** The tag of some fields of a state: another selection of fields is another representation. */
export function tagOfFields(etag: string, fields: string): string {
  return `${etag.slice(0, -1)};fields=${hash('sha256', fields).slice(0, 8)}"`;
}

/** A tag without its content coding, which changes no content. */
export function withoutCoding(tag: string): string {
  return tag.replace(/;(?:zstd|gzip)"$/, '"');
}

/** Removes the codings from all tags of a header field. */
export function withoutCodings(tags: string): string {
  return tags.replaceAll(/;(?:zstd|gzip)"/g, '"');
}

/** The tag of the state that a tag without a coding is about. */
function stateOf(tag: string): string {
  return tag.replace(/;fields=[0-9a-f]{8}"$/, '"');
}

/** Conditions of a request on the version of its resource (RFC 9110 §13.1). */
export interface Preconditions {
  readonly ifMatch?: EntityTags | undefined;
  readonly ifNoneMatch?: EntityTags | undefined;
  /** The expected version in the query; that of a body goes before it. */
  readonly version?: bigint | undefined;
}

/** Of a request that has none. */
export const noPreconditions: Preconditions = {};

/** `*`, or a list of entity tags. */
type EntityTags = '*' | readonly EntityTag[];

interface EntityTag {
  readonly weak: boolean;
  readonly tag: string;
}

/** Parses the two header fields; undefined where they were not sent. */
export function parsePreconditions(ifMatch: string | undefined, ifNoneMatch: string | undefined): Preconditions {
  return {
    ifMatch: ifMatch === undefined ? undefined : parseEntityTags('If-Match', ifMatch),
    ifNoneMatch: ifNoneMatch === undefined ? undefined : parseEntityTags('If-None-Match', ifNoneMatch),
  };
}

/** Parses a list of entity tags (RFC 9110 §8.8.3); empty list elements are allowed (§5.6.1). */
function parseEntityTags(name: string, text: string): EntityTags {
  if (text.trim() === '*') return '*';
  const form = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\uffff]*)"[ \t]*)?(?:,|$)/y;
  const tags: EntityTag[] = [];
  while (form.lastIndex < text.length) {
    const match = form.exec(text);
    if (match === null) throw malformedParameter(name, 'expected * or a list of entity tags such as "3"');
    if (match[2] !== undefined) tags.push({ weak: match[1] !== undefined, tag: withoutCoding(`"${match[2]}"`) });
  }
  if (tags.length === 0) throw malformedParameter(name, 'expected * or a list of entity tags such as "3"');
  return tags;
}

/**
 * True if a read may return 304: one of the tags is that of the representation, weak or not (RFC 9110 §13.1.2). Its coding
 * makes no difference.
 */
export function isNotModified(ifNoneMatch: EntityTags | undefined, etag: string): boolean {
  return ifNoneMatch !== undefined && (ifNoneMatch === '*' || ifNoneMatch.some(({ tag }) => tag === etag));
}

/** Throws 412 if the If-Match of a read names other states only (RFC 9110 §13.1.1). */
export function checkReadMatch(ifMatch: EntityTags | undefined, etag: string, details = {}): void {
  if (ifMatch === undefined || holds(strongOf(ifMatch), etag)) return;
  refuseWeakened(ifMatch, etag, details);
  throw new ServiceError('PreconditionFailed', `If-Match does not hold: the entity tag is ${etag}.`, details);
}

/** Throws 412 with the remedy if a tag names the current state and only its weakness keeps it from matching. */
function refuseWeakened(ifMatch: EntityTags, etag: string, details = {}): void {
  if (!holds(ifMatch, etag)) return;
  const message =
    `If-Match does not hold: it has the current entity tag ${etag} in its weak form W/${etag}, which never matches (RFC 9110 §13.1.1). ` +
    'A proxy that compresses responses weakens their tags: switch its compression off, or send the tag without W/.';
  throw new ServiceError('PreconditionFailed', message, details);
}

/** A weak tag never matches in If-Match (RFC 9110 §13.1.1). */
function strongOf(ifMatch: EntityTags): EntityTags {
  return ifMatch === '*' ? '*' : ifMatch.filter((tag) => !tag.weak);
}

/**
 * Throws 412 if a condition of a write does not hold (decision 10), and 409 for another version than the expected one.
 * Without a `target` the resource does not exist yet. `expected` is the version that the body names, else the query.
 */
export function checkPreconditions(
  { ifMatch, ifNoneMatch, version }: Preconditions,
  target: StoredResource | undefined,
  expected = version,
): void {
  if (ifMatch !== undefined) checkIfMatch(ifMatch, target);
  if (ifNoneMatch !== undefined && target !== undefined && holds(ifNoneMatch, etagOf(target.record))) {
    throw new ServiceError('PreconditionFailed', 'If-None-Match does not hold: the resource exists in that version.', {
      currentVersion: target.record.version,
    });
  }
  if (expected !== undefined) checkVersion(target, expected);
}

/** Throws 409 if the version that a write expects is not the current one (decision 12); of a resource that does not exist yet, it is 0 (decision 10). */
export function checkVersion(target: StoredResource | undefined, expected: bigint): void {
  if (target === undefined) {
    if (expected === 0n) return;
    throw new ServiceError('InvalidOperation', 'The version of a new resource must be 0 or absent.');
  }
  const { resource } = target;
  if (expected === BigInt(resource.version)) return;
  const details = conflictDetails(resource, expected);
  throw new ServiceError('ConcurrentModification', conflictMessage(resource, String(expected)), details);
}

/**
 * Throws 412 if a condition of a write does not hold for something that is no resource. `exists` is false before the first
 * write; what is read until then has a tag already.
 */
export function checkTag({ ifMatch, ifNoneMatch }: Preconditions, etag: string, exists: boolean): void {
  if (ifMatch === '*' && !exists) {
    throw new ServiceError('PreconditionFailed', 'If-Match does not hold: nothing has been written yet.');
  }
  checkReadMatch(ifMatch, etag);
  if (ifNoneMatch === undefined || (ifNoneMatch === '*' && !exists) || !holds(ifNoneMatch, etag)) return;
  throw new ServiceError('PreconditionFailed', `If-None-Match does not hold: the entity tag is ${etag}.`);
}

function checkIfMatch(ifMatch: EntityTags, target: StoredResource | undefined): void {
  if (target === undefined) {
    throw new ServiceError('PreconditionFailed', 'If-Match does not hold: there is no such resource.');
  }
  const { resource, record } = target;
  const etag = etagOf(record);
  if (holds(strongOf(ifMatch), etag)) return;
  refuseWeakened(ifMatch, etag, { currentVersion: record.version });
  const expected = (ifMatch as readonly EntityTag[]).map(({ weak, tag }) => `${weak ? 'W/' : ''}${tag}`).join(', ');
  const version = versionOf(ifMatch);
  const isOtherVersion = version !== undefined && version !== BigInt(resource.version);
  throw new ServiceError(
    'ConcurrentModification',
    // An earlier resource with this id may have had the version, too: only the tags show the difference.
    isOtherVersion ? conflictMessage(resource, String(version)) : conflictMessage(resource, expected, etag),
    conflictDetails(resource, version),
    {},
    412,
  );
}

/** True if one of the tags names the state, whichever fields of it. */
function holds(tags: EntityTags, etag: string): boolean {
  return tags === '*' || tags.some(({ tag }) => stateOf(tag) === etag);
}

/** The version in a single entity tag, if it is one of ours; those of earlier releases were the version alone. */
function versionOf(tags: EntityTags): bigint | undefined {
  const [first, ...others] = tags === '*' ? [] : tags;
  const digits = others.length === 0 ? /^"(\d{1,18})(?:-[^"]*)?"$/.exec(first?.tag ?? '')?.[1] : undefined;
  return digits === undefined ? undefined : BigInt(digits);
}

/** Who made the current version. Under a symbol, so that a response has it only where it is asked for. */
export const conflictAuthor = Symbol('conflictAuthor');

/** The message of a conflict, as clients of such APIs know it. */
function conflictMessage({ id, version }: Resource, expected: string, actual = String(version)): string {
  return `Object ${id} has a different version than expected. Expected: ${expected} - Actual: ${actual}.`;
}

/** The version to expect next time, and what changed since the expected one, as far as the history tells. */
function conflictDetails(resource: Resource, expected: bigint | undefined): ServiceError['details'] {
  const changedFields = expected === undefined ? undefined : changedFieldsSince(resource, expected);
  return {
    currentVersion: resource.version,
    ...(changedFields === undefined ? undefined : { changedFields }),
    [conflictAuthor]: resource.lastModifiedBy,
  };
}

/**
 * The top-level fields that changed after a version, sorted; undefined if the history no longer reaches back to it, or
 * if it never was a version.
 */
function changedFieldsSince({ history, version }: Resource, expected: bigint): readonly string[] | undefined {
  const later = changesOf(history).filter((change) => BigInt(change.version) > expected);
  const missed = BigInt(version) - expected;
  if (expected < 1n || missed < 1n || BigInt(later.length) !== missed) return undefined;
  return [...new Set(later.flatMap((change) => change.fields))].sort();
}
