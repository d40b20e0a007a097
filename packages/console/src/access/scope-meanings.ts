import { scopeTable } from '../../../../src/contract/scopes.ts';

/** What each scope allows, in words: from the table of the service itself. */
export const scopeMeanings: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(scopeTable).map(([name, { meaning }]) => [name, meaning]),
);
