import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { malformedParameter } from '../contract/errors.ts';
import type { Position } from '../domain/ports/list-query.ts';

/** A secret that all processes of the service share, and its name. */
export interface SharedSecret {
  /** 4 bytes. */
  readonly tag: Buffer;
  readonly secret: KeyObject;
}

export type Cursors = ReturnType<typeof createCursors>;

/** The parameters that decide the items of a list and their order. */
export interface CursorQuery {
  /** 12 bytes. */
  readonly digest: Buffer;
}

/** The identity of a query: two texts that differ are two queries. */
export function cursorQuery(identity: string): CursorQuery {
  return { digest: hash('sha256', identity, 'buffer').subarray(0, digestBytes) };
}

const format = 1;
const tagBytes = 4;
const digestBytes = 12;
const codeBytes = 16;
const headBytes = 1 + tagBytes + digestBytes;

/** Derives the secret of cursors from that of a signing key. */
export function cursorSecret(kid: string, privatePart: string): SharedSecret {
  return {
    tag: hash('sha256', kid, 'buffer').subarray(0, tagBytes),
    secret: createSecretKey(createHmac('sha256', privatePart).update('cursors').digest()),
  };
}

function codeOf(secret: KeyObject, content: Buffer): Buffer {
  return createHmac('sha256', secret).update(content).digest().subarray(0, codeBytes);
}

/**
 * Cursors: positions in lists as texts that only this service can make (decision 128). A cursor holds the format, the name
 * of its secret, a digest of its query, the position, and a code over all of it. Nothing is stored, and nothing expires but
 * the secret. `secrets`: the one to sign with, then the others that are still accepted.
 */
export function createCursors(secrets: () => readonly SharedSecret[]) {
  return {
    /** Identifies the secret that new cursors are sealed with. */
    sealedWith: (): object => secrets()[0]!.secret,
    /** Makes the cursor of a position in the list of a query. */
    seal({ digest }: CursorQuery, position: Position): string {
      const [{ tag, secret }] = secrets() as readonly [SharedSecret];
      const text = JSON.stringify(position);
      const end = headBytes + Buffer.byteLength(text);
      // One buffer for all of it: each page of a list has a cursor.
      const bytes = Buffer.allocUnsafe(end + codeBytes);
      bytes[0] = format;
      bytes.set(tag, 1);
      bytes.set(digest, 1 + tagBytes);
      bytes.write(text, headBytes);
      bytes.set(codeOf(secret, bytes.subarray(0, end)), end);
      return bytes.toString('base64url');
    },
    /** Throws `ServiceError` InvalidInput for a text that is no cursor, or one of another query. */
    open({ digest }: CursorQuery, cursor: string): Position {
      const bytes = Buffer.from(cursor, 'base64url');
      const isWhole = bytes.length > headBytes + codeBytes && bytes.toString('base64url') === cursor;
      if (!isWhole || bytes[0] !== format) throw notOurs();
      const tag = bytes.subarray(1, 1 + tagBytes);
      const known = secrets().find((each) => each.tag.equals(tag));
      const content = bytes.subarray(0, -codeBytes);
      if (!known || !timingSafeEqual(codeOf(known.secret, content), bytes.subarray(-codeBytes))) throw notOurs();
      if (!content.subarray(1 + tagBytes, headBytes).equals(digest)) throw ofOtherQuery();
      return JSON.parse(content.toString('utf8', headBytes)) as Position;
    },
  };
}

function notOurs() {
  return malformedParameter(
    'cursor',
    'expected the `next` of a page of this list, unchanged. This text is not a cursor, or its key was replaced since: start without a cursor',
  );
}

function ofOtherQuery() {
  return malformedParameter(
    'cursor',
    'it was made for another query. Send the parameters of the previous page, except limit, expand, fields and withTotal',
  );
}
