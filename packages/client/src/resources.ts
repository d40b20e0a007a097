import type {
  Resource as AnyResource,
  BatchOperation,
  BatchResult,
  DeletedResource,
  HistoryEntry,
  ImportLine,
  ResourcePage,
  ResourceUpdateAction,
  SearchPage,
  Suggestions,
} from '../dist/api-types.js';
import type { Export, ExportOptions, ImportOptions, ImportSource } from './bulk/bulk.ts';
import type { ByPredicate } from './bulk/by-predicate.ts';
import { ConflictError, NotFoundError } from './errors.ts';
import type { Predicate } from './predicate.ts';
import type { ApiCall, Requester } from './request.ts';
import {
  type FacetResults,
  type Facets,
  type ListOptions,
  listQuery,
  type SearchOptions,
  type SuggestOptions,
  searchQuery,
  suggestionQuery,
} from './search.ts';
import { pause } from './send.ts';

type SystemField = 'id' | 'version' | 'key' | 'createdAt' | 'lastModifiedAt' | 'createdBy' | 'lastModifiedBy';

/** A resource with fields of your own. */
export type Resource<T = Record<string, unknown>> = Pick<AnyResource, SystemField | 'hasStagedChanges'> &
  Pick<AnyResource, 'objectTypeProperty'> &
  T;

/** The draft of a resource. */
export type Draft<T = Record<string, unknown>> = Partial<T> & {
  readonly id?: string;
  readonly key?: string | null;
  /** The version that must be current; 0 for a new resource. */
  readonly version?: number;
};

/** A draft that is merged: `null` removes a field, at any depth. */
export type Changes<T> = { readonly [K in keyof T]?: (T[K] extends readonly unknown[] ? T[K] : Changes<T[K]>) | null };

/** Names one resource. */
export type Target = { readonly id: string } | { readonly key: string };

export type Page<T> = Omit<ResourcePage, 'results'> & { readonly results: readonly Resource<T>[] };

export type SearchResult<T, F extends Facets> = Omit<SearchPage, 'results' | 'facets'> & {
  readonly results: readonly Resource<T>[];
  readonly facets: FacetResults<F>;
};

export interface ReadOptions {
  /** The resource as it was in this version, also if it is deleted. */
  readonly version?: number;
  readonly staged?: boolean;
  readonly expand?: string | readonly string[];
  /** Dotted paths: only these fields are returned, and `id`, `version` and `key`. */
  readonly fields?: string | readonly string[];
  readonly signal?: AbortSignal;
}

export interface WriteOptions {
  /** Only this version may be changed. */
  readonly version?: number;
  /** Stored with the change: who made it, in your own system. */
  readonly user?: string;
  readonly signal?: AbortSignal;
}

/** The resources of a project, with fields of type T and update actions of type A. */
export interface Resources<T, A> extends ByPredicate<A> {
  /** Throws `NotFoundError` if it does not exist. */
  get(target: Target, options?: ReadOptions): Promise<Resource<T>>;
  /** The resource, or undefined if it does not exist. */
  find(target: Target, options?: ReadOptions): Promise<Resource<T> | undefined>;
  /** Throws `ConflictError` if there is one with this id or key. */
  create(draft: Draft<T> & T, options?: WriteOptions): Promise<Resource<T>>;
  /** Creates the resource, or replaces the fields that the draft has. */
  save(draft: Draft<T>, options?: WriteOptions): Promise<Resource<T>>;
  /** Creates the resource, or merges into it: `null` removes a field. */
  merge(draft: Changes<T> & Omit<Draft<T>, keyof T>, options?: WriteOptions): Promise<Resource<T>>;
  /** Creates the resource, or replaces all its fields. */
  replace(draft: Draft<T> & T, options?: WriteOptions): Promise<Resource<T>>;
  /**
   * Applies update actions to the current version. A function gets the resource and returns them; it is called again
   * with what others have made of it meanwhile. An empty list changes nothing. With `version`, a list of actions throws
   * `ConflictError` if another version is current. A list of `incrementNumber`, `addToList`, `removeFromList` and
   * `setIfAbsent` alone is one request, which no other change can overtake.
   */
  update(target: Target, actions: UpdateActions<T, A>, options?: WriteOptions): Promise<Resource<T>>;
  /** Returns what was deleted. */
  delete(target: Target, options?: WriteOptions): Promise<Resource<T>>;
  /** Carries out several operations in one commit, all or none, unless `atomic` is false. */
  batch(operations: readonly BatchOperation[], options?: BatchOptions): Promise<BatchResult>;
  /**
   * Imports drafts, however many, in portions that are small enough to be sent again where the connection is lost. Yields
   * what became of each, by its number from 1, once it is durable. A draft without `id` and `key` gets an id, so that it is
   * made only once. After a lost result, what was done already is `unchanged`.
   */
  import(source: ImportSource<T>, options?: ImportOptions): AsyncIterable<ImportLine>;
  /** All resources that match, by id, in one stream, which goes on where the connection was lost. */
  export(options?: ExportOptions): Export<T>;
  /** Brings a deleted resource back, by default as it was. */
  restore(target: Target, options?: RestoreOptions): Promise<Resource<T>>;
  /** The changes of a resource, newest first, also of a deleted one. */
  history(target: Target, options?: HistoryOptions): AsyncIterable<HistoryEntry>;
  /** Resources that can be restored, the last deleted one first. */
  deleted(options?: Pick<HistoryOptions, 'signal'>): AsyncIterable<DeletedResource>;
  exists(where?: Predicate | string, options?: Pick<ListOptions, 'staged' | 'signal'>): Promise<boolean>;
  list(options?: ListOptions): Promise<Page<T>>;
  /**
   * All resources that match, in any order, a page at a time. What matches all the while and keeps what it is sorted by
   * is seen exactly once; by default that is the id.
   */
  all(options?: Omit<ListOptions, 'withTotal'>): AsyncIterable<Resource<T>>;
  /** Pages one after the other, in any order, however many there are. Only the first one has a total by default. */
  pages(options?: ListOptions): AsyncIterable<Page<T>>;
  search<const F extends Facets = Record<never, never>>(options?: SearchOptions<F>): Promise<SearchResult<T, F>>;
  /** Completes the last word of what was typed: `suggest('en', 'running sh')`. */
  suggest(locale: string, text: string, options?: SuggestOptions): Promise<Suggestions>;
}

export interface BatchOptions extends Omit<WriteOptions, 'version'> {
  /** `false`: each operation for itself. */
  readonly atomic?: boolean;
}

export interface HistoryOptions {
  /** With the differences between versions; `withOldValues` says what was there, too. */
  readonly diff?: boolean | 'withOldValues';
  readonly signal?: AbortSignal;
}

export interface RestoreOptions extends Omit<WriteOptions, 'version'> {
  /** The version whose content it gets. Default: the one that was deleted. */
  readonly version?: number;
  /** Another key than it had; `null` for none. */
  readonly key?: string | null;
}

export type UpdateActions<T, A> = readonly A[] | ((current: Resource<T>) => readonly A[] | Promise<readonly A[]>);

/** Actions of the service that are right whatever the version is. */
const needNoVersion: ReadonlySet<unknown> = new Set(['incrementNumber', 'addToList', 'removeFromList', 'setIfAbsent']);

/** Number of lost races after which an update gives up. */
const maxRebases = 20;

const collection = '/resource';
type Query = NonNullable<ApiCall['query']>;
type WriteMethod = 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Content = Pick<ApiCall, 'query' | 'headers' | 'body'>;

function pathOf(target: Target): string {
  const { id, key } = target as { readonly id?: string; readonly key?: string };
  if (id === undefined && key === undefined) throw new TypeError('Expected an id or a key.');
  const segment = id === undefined ? `key=${encodeURIComponent(key!)}` : encodeURIComponent(id);
  return `${collection}/${segment}`;
}

type BodyOf = <B>(call: ApiCall) => Promise<B>;
type Reads<T> = Pick<
  Resources<T, unknown>,
  'get' | 'find' | 'history' | 'deleted' | 'exists' | 'list' | 'all' | 'pages' | 'search' | 'suggest'
>;
type Bulk<T, A> = Pick<Resources<T, A>, 'import' | 'export' | 'updateWhere' | 'deleteWhere'>;
type Writes<T, A> = Omit<Resources<T, A>, keyof Reads<T> | keyof Bulk<T, A>>;

export function createResources<T, A = ResourceUpdateAction>(request: Requester, bulk: Bulk<T, A>): Resources<T, A> {
  const bodyOf: BodyOf = async <B>(call: ApiCall) => (await request(call)).body as B;
  const reads = createReads<T>(request, bodyOf);
  return { ...reads, ...createWrites<T, A>(bodyOf, reads.get), ...bulk };
}

function createReads<T>(request: Requester, bodyOf: BodyOf): Reads<T> {
  const get = (target: Target, { signal, ...query }: ReadOptions = {}): Promise<Resource<T>> =>
    bodyOf({ path: pathOf(target), query: { ...query }, signal });

  const list = (options: ListOptions = {}): Promise<Page<T>> =>
    bodyOf({ path: `${collection}/sorted-query-parameters`, query: listQuery(options), signal: options.signal });

  /** All items of pages that go on by a cursor. */
  async function* following<I>(path: string, fixed: Query, signal: AbortSignal | undefined): AsyncIterable<I> {
    for (let cursor: string | undefined; ; ) {
      const query = { ...fixed, limit: 100, cursor };
      const page: { readonly results: readonly I[]; readonly next?: string } = await bodyOf({ path, query, signal });
      yield* page.results;
      if (page.next === undefined) return;
      cursor = page.next;
    }
  }

  async function* pages(options: ListOptions = {}): AsyncIterable<Page<T>> {
    const { offset, ...others } = options;
    let page = await list(options);
    for (;;) {
      if (page.count > 0) yield page;
      if (page.next === undefined) return;
      page = await list({ ...others, cursor: page.next });
    }
  }

  return {
    get,
    async find(target, options) {
      try {
        return await get(target, options);
      } catch (error) {
        if (error instanceof NotFoundError) return undefined;
        throw error;
      }
    },
    history: (target, { diff = false, signal } = {}) =>
      following(`${pathOf(target)}/history`, { diff: diff !== false, oldValues: diff === 'withOldValues' }, signal),
    deleted: ({ signal } = {}) => following(`${collection}/deleted`, {}, signal),
    async exists(predicate, { staged, signal } = {}) {
      try {
        const query = { where: predicate && String(predicate), staged };
        return (await request({ method: 'HEAD', path: collection, query, signal })).status === 200;
      } catch (error) {
        if (error instanceof NotFoundError) return false;
        throw error;
      }
    },
    list,
    async *all(options = {}) {
      for await (const { results } of pages({ limit: 500, sort: 'id asc', ...options, withTotal: false }))
        yield* results;
    },
    pages,
    async search(options = {}) {
      const query = searchQuery(options);
      const body = await bodyOf<SearchPage>({ path: `${collection}/searchApiPattern`, query, signal: options.signal });
      return { facets: {}, ...body } as never;
    },
    suggest(locale, text, options = {}) {
      const query = suggestionQuery(locale, text, options);
      return bodyOf<Suggestions>({ path: `${collection}/suggestions`, query, signal: options.signal });
    },
  };
}

function createWrites<T, A>(bodyOf: BodyOf, get: Resources<T, A>['get']): Writes<T, A> {
  function send<B>(method: WriteMethod, path: string, { user, signal }: WriteOptions, content: Content): Promise<B> {
    const headers = { ...(user !== undefined && { 'x-external-user-id': user }), ...content.headers };
    // Others have no Idempotency-Key: they are sent again only if nothing was done.
    const isIdempotent = method === 'POST' || method === 'PATCH';
    return bodyOf({ ...content, method, path, headers, signal, isIdempotent });
  }

  function write(method: WriteMethod, draft: object, options: WriteOptions = {}, headers = {}): Promise<Resource<T>> {
    const { version } = options;
    return send(method, collection, options, {
      ...{ headers, body: version === undefined ? draft : { ...draft, version } },
    });
  }

  async function update(target: Target, actions: UpdateActions<T, A>, options: WriteOptions = {}) {
    const run = (version: number | undefined, list: readonly A[]) =>
      send<Resource<T>>('POST', pathOf(target), options, { body: { version, actions: list } });
    if (typeof actions !== 'function') {
      const isFree =
        actions.length > 0 && actions.every((each) => needNoVersion.has((each as { action?: unknown }).action));
      if (isFree || options.version !== undefined) return run(options.version, actions);
    }
    for (let rebase = 0; ; rebase += 1) {
      const current = await get(target, { ...(options.signal && { signal: options.signal }) });
      const list = typeof actions === 'function' ? await actions(current) : actions;
      if (list.length === 0) return current;
      try {
        return await run(options.version ?? current.version, list);
      } catch (error) {
        const isOvertaken = error instanceof ConflictError && error.code === 'ConcurrentModification';
        if (!isOvertaken || options.version !== undefined || rebase === maxRebases) throw error;
        // Others are at it, too: not all again at the same moment.
        await pause(Math.random() * 10 * 2 ** Math.min(rebase, 6), options.signal);
      }
    }
  }

  return {
    create: (draft, options) => write('POST', draft, options, { 'if-none-match': '*' }),
    save: (draft, options) => write('POST', draft, options),
    merge: (draft, options) => write('PATCH', draft, options),
    replace: (draft, options) => write('PUT', draft, options),
    update,
    delete: (target, options = {}) => send('DELETE', pathOf(target), options, { query: { version: options.version } }),
    batch(operations, options = {}) {
      const { atomic } = options;
      return send('POST', `${collection}/batch`, options, { query: { atomic }, body: { operations } });
    },
    restore(target, options = {}) {
      const { version, key } = options;
      return send('POST', `${pathOf(target)}/restore`, options, { body: { version, key } });
    },
  };
}
