import type { Eventually } from '../ports/eventually.ts';
import type { ListPage, ListQuery, SearchPage } from '../ports/list-query.ts';
import type { ResourceRecord } from '../ports/resource-store.ts';
import type { ResourceReads } from '../ports/store.ts';
import type { Predicate } from '../predicate/ast.ts';
import type { SearchQuery } from '../search/query/query.ts';
import { collectInTurns } from '../turns.ts';
import type { PrivatePaths } from './private-paths.ts';

/**
 * The reads of callers that see only what is published: current projections without private paths, and no condition or
 * order by these. All that a response has of a resource comes through here, so that no part of it needs to know of them.
 * A search must be parsed under `PrivatePaths.restricted` settings.
 */
export class PublishedReads implements ResourceReads {
  readonly #store: ResourceReads;
  readonly #projectKey: string;
  readonly #hidden: PrivatePaths;

  constructor(store: ResourceReads, projectKey: string, hidden: PrivatePaths) {
    this.#store = store;
    this.#projectKey = projectKey;
    this.#hidden = hidden;
  }

  get(projectKey: string, id: string) {
    return this.#published(this.#store.get(projectKey, id));
  }

  getByKey(projectKey: string, key: string) {
    return this.#published(this.#store.getByKey(projectKey, key));
  }

  async list(query: ListQuery, signal?: AbortSignal): Promise<ListPage> {
    this.#check(query.projectKey, query.where, [...query.sort.map(({ path }) => path)]);
    return this.#page(query.projectKey, await this.#store.list({ ...query, staged: false }, signal));
  }

  async search(query: SearchQuery, signal?: AbortSignal): Promise<SearchPage> {
    const { queryFilters, filters, facetFilters, facets, sort, ties, group } = query;
    const predicates = [...queryFilters, ...filters, ...facetFilters.map(({ predicate }) => predicate)];
    const paths = [...facets, ...sort, ...ties].map(({ path }) => path);
    this.#check(query.projectKey, predicates, group ? [...paths, group] : paths);
    return this.#page(query.projectKey, await this.#store.search({ ...query, staged: false }, signal));
  }

  async exists(projectKey: string, where: readonly Predicate[], _staged: boolean, signal?: AbortSignal) {
    this.#check(projectKey, where, []);
    return this.#store.exists(projectKey, where, false, signal);
  }

  generation = (projectKey: string) => this.#store.generation?.(projectKey);

  /** Documents of companion projects are the service's own: private paths name no field of them. */
  #check(projectKey: string, predicates: readonly Predicate[], paths: readonly (readonly string[])[]): void {
    if (projectKey !== this.#projectKey) return;
    for (const predicate of predicates) this.#hidden.refuseIn(predicate);
    for (const path of paths) this.#hidden.refuse(path);
  }

  #textOf(projectKey: string, document: string): string {
    return this.#hidden.textWithout(document, projectKey === this.#projectKey);
  }

  #published(found: Eventually<ResourceRecord | undefined>): Eventually<ResourceRecord | undefined> {
    if (found instanceof Promise) return found.then((record) => this.#published(record));
    return found && { ...found, current: this.#textOf(found.projectKey, found.current), staged: undefined };
  }

  async #page<Page extends ListPage>(projectKey: string, page: Page): Promise<Page> {
    const results = page.results.values().map((document) => this.#textOf(projectKey, document));
    return { ...page, results: await collectInTurns(results) };
  }
}
