import type { ErrorCopy } from '../../domain/error-copy.ts';
import type { ListPage, ListQuery, SearchPage } from '../../domain/ports/list-query.ts';
import type { SearchQuery } from '../../domain/search/query/query.ts';
import type { LogPortion, LogQuery } from '../../record/row/log-query.ts';
import type { QueryRun } from '../../telemetry/slow-queries.ts';
import type { Interruption, Signals } from './deadline.ts';

/** What is asked, as plain data. */
export type Query =
  | { readonly kind: 'list'; readonly asked: ListQuery }
  | { readonly kind: 'exists'; readonly asked: Pick<ListQuery, 'projectKey' | 'where' | 'staged'> }
  | { readonly kind: 'search'; readonly asked: SearchQuery }
  | { readonly kind: 'changes'; readonly asked: LogQuery };

/** A query as it is sent to a query thread. */
export interface QueryRequest {
  /** Its slot in the thread. */
  readonly slot: number;
  readonly query: Query;
  /** It does not yield. */
  readonly isLong: boolean;
}

export type QueryResult = { readonly slot: number; readonly ms: number; readonly trace?: Trace } & (
  | { readonly answer: Answer }
  | { readonly interruption: Interruption }
  | { readonly error: ErrorCopy }
  /** The indexes are behind the changes in the snapshot: they have to catch up first. */
  | { readonly behind: true }
);

/** How a query ran that took long. */
export type Trace = Pick<QueryRun, 'rowsRead' | 'plan'>;

export interface QueryThreadOptions {
  readonly file: string;
  readonly maxPageBytes: number;
  readonly declaredPaths: readonly string[];
  /** Processor time that a query may use. */
  readonly timeoutMs: number;
  readonly signals: Signals;
}

export type Answer = ListPage | SearchPage | LogPortion | boolean;
