import { hash } from 'node:crypto';
import { malformedParameter } from '../../contract/errors.ts';
import type { LoggedChange } from '../ports/change-log.ts';

/**
 * A place in the change log of a project: all changes up to it were read. The epoch and the digest of the change there
 * tell it from the same number in another log, such as one that continues an old backup.
 */
export interface Position {
  readonly epoch: string;
  readonly sequence: number;
  /** Digest of the change at `sequence`; 0 if it does not exist or is unknown. */
  readonly digest: number;
}

/** Digest of what forgetting leaves of a change: 32 bits, never 0. */
export function digestOf({ sequence, id, version, incarnation, origin }: LoggedChange): number {
  const { type, at, clientId } = origin;
  const text = JSON.stringify([sequence, id, version, incarnation ?? null, type, at, clientId]);
  return Number.parseInt(hash('sha256', text).slice(0, 8), 16) || 1;
}

/** A position as the opaque text that clients keep: base64url, so that it fits into a URL and a header as it is. */
export function encodePosition({ epoch, sequence, digest }: Position): string {
  return toBase64(`${sequence.toString(36)}.${digest.toString(36)}.${epoch}`);
}

/** Reads a cursor of events. Throws 400 for any other text. */
export function decodePosition(name: string, text: string): Position {
  const [, sequence, digest, epoch] = /^([0-9a-z]{1,11})\.([0-9a-z]{1,7})\.(.*)$/s.exec(fromBase64(text)) ?? [];
  if (sequence === undefined || digest === undefined || epoch === undefined) throw noCursor(name);
  return { epoch, sequence: Number.parseInt(sequence, 36), digest: Number.parseInt(digest, 36) };
}

/** A place between the changes of a page of history, as an opaque text. */
export function encodeSequence(sequence: number): string {
  return toBase64(`.${sequence.toString(36)}`);
}

/** Reads a cursor of histories. Throws 400 for any other text. */
export function decodeSequence(name: string, text: string): number {
  const [, sequence] = /^\.([0-9a-z]{1,11})$/.exec(fromBase64(text)) ?? [];
  if (sequence === undefined) throw noCursor(name);
  return Number.parseInt(sequence, 36);
}

function noCursor(name: string): Error {
  return malformedParameter(name, 'expected a cursor as it was returned before');
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64url').toString();
}
