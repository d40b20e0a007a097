import { hash } from 'node:crypto';
import type { ResourceRecord } from '../../ports/resource-store.ts';

/**
 * Entity tags (RFC 9110 §8.8.3). The tag of a state of a resource may be followed by what was made of it for a response:
 * `"3-k2f9;fields=4f1a90bc;gzip"`. Such a tag names the state as well, so a write takes it like the tag alone.
 */

/** The parts of an entity tag. */
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

/** The parts of all entity tags in a header field. */
export function withoutCodings(tags: string): string {
  return tags.replaceAll(/;(?:zstd|gzip)"/g, '"');
}

/** The tag of the state that a tag without a coding is about. */
export function stateOf(tag: string): string {
  return tag.replace(/;fields=[0-9a-f]{8}"$/, '"');
}
