import type { ListQuery } from '../../../src/domain/ports/list-query.ts';
import { compileExists, compileList } from '../../../src/index/query/plan-list.ts';
import { runExists, runList } from '../../../src/index/query/run-list.ts';
import { roundsOf } from '../../rounds.ts';
import { type AgreementStore, declaredPaths, predicateAgreementSuite } from '../predicate-agreement.suite.ts';
import { openTestIndex } from './open-test-index.ts';

const deadline = { check() {} };

/** Sorting, a complete scan in the order, one that gives up at once, one that gives up halfway. */
const tunings = [
  { fewRows: 5000, scanRows: 20_000 },
  { fewRows: 0, scanRows: 20_000 },
  { fewRows: 0, scanRows: 0 },
  { fewRows: 2, scanRows: 5 },
] as const;

/** With all access paths, with none, and with each alone if several conditions offer some. */
function waysTo(query: ListQuery, choice: number) {
  const list = compileList(query, declaredPaths, tunings[choice % 4]);
  if (query.sort.length > 0) return [list];
  const alone = query.where.length > 1 ? list.accessPaths.map((accessPath) => [accessPath]) : [[]];
  return [list.accessPaths, ...alone].map((accessPaths) => ({ ...list, accessPaths }));
}

async function open(): Promise<AgreementStore> {
  const index = openTestIndex(declaredPaths);
  return {
    write: index.write,
    async lists(query, choice) {
      return waysTo(query, choice).map((list) => runList(index.db, structuredClone(list), deadline, 1e9));
    },
    async exists(where, staged) {
      const exists = compileExists({ projectKey: 'p', where, staged }, declaredPaths);
      return runExists(index.db, structuredClone(exists), deadline);
    },
    close: async () => index[Symbol.dispose](),
  };
}

predicateAgreementSuite({ name: 'SQLite', batches: roundsOf(4, 2), walks: 30, open });
