import { DamagedData } from '../domain/damaged-data.ts';
import type { ListPage, ListQuery, SearchPage } from '../domain/ports/list-query.ts';
import type { ResourceStore } from '../domain/ports/resource-store.ts';
import type { Predicate } from '../domain/predicate/ast.ts';
import type { SearchQuery } from '../domain/search/query/query.ts';
import { type CompiledList, compileExists, compileList } from '../index/query/plan-list.ts';
import type { BeginQuery, QueryPool } from '../index/threads/query-pool.ts';

export interface IndexedReadsParts {
  readonly queries: QueryPool;
  /** Has the indexes leave out those of the rows that are damaged. */
  readonly writer: { setAside(rows: readonly number[]): Promise<void> };
  readonly declaredPaths: readonly string[];
  /** What queries wait for, unless for all that was acknowledged before. */
  readonly begin?: BeginQuery;
}

/** Lists, searches and existence checks, in the query threads. */
export class IndexedReads implements Pick<ResourceStore, 'list' | 'search' | 'exists'> {
  readonly #parts: IndexedReadsParts;
  /** Callers that repeat a query hand in the same object. */
  readonly #compiled = new WeakMap<ListQuery, CompiledList>();

  constructor(parts: IndexedReadsParts) {
    this.#parts = parts;
  }

  list(query: ListQuery, signal?: AbortSignal): Promise<ListPage> {
    const { queries, declaredPaths, begin } = this.#parts;
    const plan = this.#compiled.get(query) ?? compileList(query, declaredPaths);
    this.#compiled.set(query, plan);
    return this.#noticing(() => queries.list(plan, signal, query, begin));
  }

  search(query: SearchQuery, signal?: AbortSignal): Promise<SearchPage> {
    const { queries, begin } = this.#parts;
    return this.#noticing(() => queries.search(query, signal, begin));
  }

  exists(projectKey: string, where: readonly Predicate[], staged: boolean, signal?: AbortSignal): Promise<boolean> {
    const { queries, declaredPaths, begin } = this.#parts;
    const selection = compileExists({ projectKey, where, staged }, declaredPaths);
    return this.#noticing(() => queries.exists(selection, signal, where, begin));
  }

  /** Reads; what is found to be damaged is set aside, and it is read once more without it. */
  async #noticing<T>(read: () => Promise<T>, mayRepeat = true): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof DamagedData) || !error.place.rows) throw error;
      const done = this.#parts.writer.setAside(error.place.rows);
      if (!mayRepeat) throw error;
      await done;
    }
    return this.#noticing(read, false);
  }
}
