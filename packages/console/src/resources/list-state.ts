import { signal } from '@preact/signals';
import { ApiError, pathOf } from '../api/client.ts';
import type { JsonMap } from '../api/json.ts';
import { call } from '../app/session.ts';
import { type ListRequest, listQuery, type Page, readPage } from '../model/pages.ts';

/** The loaded part of a list. */
export interface Loaded {
  readonly rows: readonly JsonMap[];
  readonly first: Page | undefined;
  /** The query whose results the rows are. */
  readonly question: string;
  readonly next: string | undefined;
  readonly isLoading: boolean;
  /** The error of the last request. */
  readonly error: unknown;
}

const nothing: Loaded = {
  ...{ rows: [], first: undefined, question: '', next: undefined },
  ...{ isLoading: true, error: undefined },
};

/** True for what may go well another time: there was no response, or one of a service that is busy or fails. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);

/** Loads a list page by page. Rows stay while a changed query is loaded. */
export function createListState() {
  const loaded = signal<Loaded>(nothing);
  let abort = new AbortController();
  let request: ListRequest | undefined;
  /** Where the last page that was asked for begins. */
  let asked: string | undefined;

  async function read(cursor: string | undefined): Promise<void> {
    if (!request) return;
    const { signal: aborted } = abort;
    const question = listQuery(request).toString();
    asked = cursor;
    loaded.value = { ...loaded.value, isLoading: true };
    try {
      const page = await readPage(request, cursor, aborted);
      // The list was asked for anew after the response had come, so nothing was left to abort.
      if (aborted.aborted) return;
      const rows = cursor === undefined ? page.results : [...loaded.value.rows, ...page.results];
      const first = cursor === undefined ? page : loaded.value.first;
      loaded.value = { rows, first, question, next: page.next, isLoading: false, error: undefined };
    } catch (error) {
      if (aborted.aborted) return;
      loaded.value = { ...loaded.value, isLoading: false, error };
    }
  }

  return {
    loaded,
    /** Loads the first page of a query. */
    load(next: ListRequest): void {
      abort.abort();
      abort = new AbortController();
      request = next;
      void read(undefined);
    },
    /** Loads the page after the last one, unless it is being loaded or was refused. */
    more(): void {
      const { isLoading, next, error } = loaded.value;
      if (!isLoading && next !== undefined && error === undefined) void read(next);
    },
    /** Asks again for the page that could not be loaded, unless the query itself was refused. */
    retry(): void {
      const { isLoading, error } = loaded.value;
      if (!isLoading && isPassing(error)) void read(asked);
    },
    /** Puts a resource as it is now into the rows that show it, or takes it out. */
    put(id: string, document: JsonMap | undefined): void {
      const { rows } = loaded.value;
      const next = document ? rows.map((row) => (row.id === id ? document : row)) : rows.filter((row) => row.id !== id);
      loaded.value = { ...loaded.value, rows: next };
    },
    /** Reads the resource of a row again. A resource that cannot be read stays as it was. */
    async refresh(id: string): Promise<void> {
      if (!request) return;
      const query = request.staged ? new URLSearchParams({ staged: 'true' }) : undefined;
      const path = pathOf(request.projectKey, 'resource', id);
      const found = await call(request.projectKey, { path, query, signal: abort.signal }).catch(() => undefined);
      if (found) this.put(id, found.body as JsonMap);
    },
    close: () => abort.abort(),
  };
}

export type ListState = ReturnType<typeof createListState>;
