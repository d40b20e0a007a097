import type { NumberedRow } from '../../../index/follow/numbered-rows.ts';
import { workOnPieces } from '../../../threads/piece-thread.ts';
import { createExpecting, type ExpectedPage } from './expected.ts';

/** Computes what the indexes should have of the rows that it is sent. */
workOnPieces<readonly string[], readonly NumberedRow[], never, ExpectedPage>(async (declaredPaths) => {
  const expect = createExpecting(declaredPaths);
  return { run: async (rows) => expect(rows), close: async () => {} };
});
