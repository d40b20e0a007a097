import { parseNumber } from '../../domain/json/number.ts';
import type { ParameterTable, QueryValues } from '../route.ts';

/** The query parameters of writes: `version`, and those of lists that a write refuses with advice (decision 96). */

/** The version that a write expects. A route that declares it passes it on by `versionOf`. */
export const versionParameter = {
  version: {
    type: 'integer',
    format: 'int64',
    exact: true,
    description:
      'The version that must be current; otherwise 409. Where the body has a `version` as well, both must be the same.',
    example: 3,
  },
} as const satisfies ParameterTable;

/** The expected version in the query; undefined if any may be current. */
export function versionOf(query: QueryValues): bigint | undefined {
  const version = query.get('version');
  return version === undefined ? undefined : BigInt(parseNumber(String(version)));
}

const whereAdvice =
  'a write changes the one resource that its path or its body names; list the resources with `where`, and write each by its id';

/** Refuses `staged` and `where`, which would otherwise widen a write unseen. `stagedAdvice` says what to do instead. */
export function refusedOnWrites(stagedAdvice: string): ParameterTable {
  const description = 'A parameter of reads. Refused here.';
  return {
    staged: { type: 'string', repeatable: true, description, elsewhere: stagedAdvice },
    where: { type: 'string', repeatable: true, description, elsewhere: whereAdvice },
  };
}
