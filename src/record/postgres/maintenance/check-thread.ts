import { workOnPieces } from '../../../threads/piece-thread.ts';
import { pathList, type RecordedPaths } from '../generations/generation.ts';
import { openTerms } from '../generations/term-key.ts';
import { checkTimeoutMs, connectOnce } from '../open/connection.ts';
import type { CountedEntries } from './check.ts';
import { type CheckedPart, checkPiece, type Piece } from './check-piece.ts';

/** What a thread of a check is started with. */
export interface CheckThreadData {
  readonly url: string;
  readonly recorded: RecordedPaths;
}

workOnPieces<CheckThreadData, Piece, CheckedPart, CountedEntries>(async ({ url, recorded }) => {
  const own = await connectOnce(url, checkTimeoutMs);
  const connection = { ...own, terms: await openTerms(own) };
  // Lists of paths are compared by identity.
  const paths = pathList(recorded);
  return {
    run: (piece, onPart) => checkPiece(connection, paths, piece, onPart),
    close: () => connection.close(),
  };
});
