import type { NumberedRow } from '../../../record/row/stored-row.ts';
import { workOnPieces } from '../../../threads/piece-thread.ts';
import { type ExpectedPage, expectedPage } from './expected.ts';

/** Computes what the indexes should have of the rows that it is sent. */
workOnPieces<readonly string[], readonly NumberedRow[], ExpectedPage>(
  (declaredPaths) => (rows) => expectedPage(rows, declaredPaths),
);
