import type { ListQuery } from '../../../src/domain/ports/list-query.ts';
import type { IdempotentResponse } from '../../../src/domain/ports/resource-store.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { parsePredicate } from '../../../src/domain/predicate/parse.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import { creation, deletion, document, replacement } from '../records.ts';

/** A list of a project. */
export function query(projectKey: string, where: string, more: Partial<ListQuery> = {}): ListQuery {
  const predicates = where === '' ? [] : [parsePredicate(where, { variables: new Map() })];
  return { projectKey, where: predicates, sort: [], limit: 20, offset: 0, withTotal: true, staged: false, ...more };
}

const answer = (scope: string): IdempotentResponse => ({
  ...{ scope, requestHash: 'x', status: 201, headers: {}, body: '{}', expiresAtMs: 4e12 },
});

/** Asks everything of a store that a request can, of several projects. `price` is a declared path. */
export async function exercise(store: Store): Promise<void> {
  for (const project of ['first', 'second', 'third']) {
    const documents = Array.from({ length: 9 }, (_, n) =>
      document(`r${n}`, 1, { price: n, name: { en: `word${n} shoe` }, list: [{ x: n }] }, `k${n}`),
    );
    await Promise.all(
      documents.map((each, n) =>
        store.resources.commit(
          creation(project, each, n === 0 ? answer(`c\nPOST\n/${project}/resource\nk`) : undefined),
        ),
      ),
    );
    const [first, second, third] = documents as [(typeof documents)[0], (typeof documents)[0], (typeof documents)[0]];
    await store.resources.commit(creation(project, document('r0', 1)));
    await store.resources.commit(replacement(project, first, document('r0', 2, { price: 100 }, 'k0')));
    await store.resources.commit(replacement(project, second, document('r1', 2, { price: 1 }, 'moved')));
    await store.resources.commit(replacement(project, third, document('r2', 2, {}, 'moved')));
    await store.resources.commit(deletion(project, third));
    await Promise.all([store.resources.get(project, 'r0'), store.resources.get(project, 'r1')]);
    await store.resources.getByKey(project, 'k0');
    await store.resources.getIdempotentResponse(`c\nPOST\n/${project}/resource\nk`, 0);
    await store.resources.scan(project, undefined, 10);
    await readLog(store, project);
    await manageMarks(store, project);
    await listEverything(store, project);
    await searchEverything(store, project);
  }
  await manageClients(store);
}

async function readLog({ changes }: Store, project: string): Promise<void> {
  await changes.bounds(project);
  for (const filter of [{}, { types: ['updated'], clientId: '' } as const, { id: 'r0', types: ['created'] } as const]) {
    await changes.changesAfter(project, 0, 10, filter);
  }
  await changes.changesOf(project, 'r0', undefined, 10);
  await changes.deletions(project, undefined, 10);
  await changes.deletionByKey(project, 'moved');
  const origin = { type: 'forgotten', cause: 'forget', at: new Date().toISOString(), clientId: 'c' } as const;
  await changes.forget(project, 'r2', origin);
  await changes.prune(Date.now() + 1, 1);
}

async function manageMarks({ rules, resources }: Store, project: string): Promise<void> {
  await rules.mark(project, [{ id: 'r5', version: 1, marks: ['sku 5', 'ref r6'] }], ['sku ', 'ref ']);
  await rules.marked(project, 'sku 5', 10);
  await rules.contested(project, 'sku ', 10);
  await rules.unmark(project, 'ref ', 10);
  const needs = [{ id: 'r6', version: 1 }];
  const demands = { version: 1, marks: ['sku 9'], unique: ['sku 9'], needs, forbidden: ['ref r9'] };
  await resources.commit({ ...creation(project, document('r9', 1)), rules: demands });
  await rules.setRules(project, 0);
  await rules.rulesVersion(project);
}

async function listEverything({ resources }: Store, project: string): Promise<void> {
  const conditions = ['', 'name.en = "word3 shoe"', 'price > 3 and price < 7', 'list(x = 3 and y is not defined)'];
  for (const where of [...conditions, 'not (price = 3)', 'version > 1', 'list.x > 3', 'id in ("r1", "r2")']) {
    for (const staged of [false, true]) {
      await resources.list(query(project, where, { staged }));
      const sort = [{ path: ['price'], direction: 'desc' }] as const;
      await resources.list(query(project, where, { staged, sort }));
      await resources.exists(project, query(project, where).where, staged);
    }
    for (const path of ['createdAt', 'key', 'arrayOfIntExample']) {
      await resources.list(query(project, where, { sort: [{ path: [path], direction: 'asc' }] }));
    }
  }
}

async function searchEverything({ resources }: Store, project: string): Promise<void> {
  const searches: readonly Readonly<Record<string, string | boolean | readonly string[]>>[] = [
    { 'text.en': 'word3 shoe' },
    { 'text.en': 'wrod3', fuzzy: true, facet: ['price'] },
    {
      'text.en': 'shoe',
      sort: ['price asc'],
      'filter.query': ['price:range(2 to 5)'],
      facet: ['price:range (0 to 10)'],
    },
    { filter: ['list.x:1,2'], 'filter.facets': ['price:1'], facet: ['list.x:1'] },
  ];
  for (const values of searches) {
    for (const staged of [false, true]) {
      const parameters = new Map(Object.entries({ ...values, staged }));
      await resources.search(parseSearch(parameters, project));
    }
  }
}

async function manageClients({ clients }: Store): Promise<void> {
  const made = { id: 'first.1', projectKey: 'first', name: 'n', scopes: [], secretHash: 'h', createdAtMs: 1 };
  await clients.createClient(made);
  await clients.getClient(made.id);
  await clients.listClients('first', 10);
  await clients.replaceClient(made, { ...made, secretHash: 'h2', previous: { secretHash: 'h', untilMs: 5 } });
  await clients.addSigningKey({ kid: 'k', privateJwk: '{}', createdAtMs: 1, activeFromMs: 1, expiresAtMs: 4e12 });
  await clients.listSigningKeys();
  await clients.revoke({ kind: 'jti', subject: 's', revokedAtMs: 1, expiresAtMs: 2 });
  await clients.listRevocations(0);
  await clients.deleteClient(made.id, { kind: 'client', subject: made.id, revokedAtMs: 1, expiresAtMs: 2 });
  await clients.deleteExpired(1);
}
