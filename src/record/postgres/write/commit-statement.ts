import type { CommitOutcome } from '../../../domain/ports/resource-store.ts';
import type { ResourceVersion } from '../../../domain/ports/rule-store.ts';
import { checksumOf } from '../../row/checked-table.ts';
import type { MarkRow } from '../../row/marks.ts';
import { responseRow } from '../../row/response-row.ts';
import { responses } from '../checked-tables.ts';
import { bytesOf, contentChecksum, epochOf, logOf } from '../event-row.ts';
import type { Connection, Statement } from '../open/connection.ts';
import { responseKey, responsePartition } from '../rows.ts';
import type { PreparedWrite } from './prepare-write.ts';

/** How changes of a project are committed. */
export interface CommitOptions {
  /** What the epoch of a log is made of that begins. */
  readonly epoch: string;
  /** All changes or none. */
  readonly together?: boolean;
  /** The answer to the same statement was lost: what it committed is not committed again. */
  readonly repeated?: boolean;
}

/** What a statement did: the outcome of each change, in their order, and the last event of the project. */
export interface Committed {
  readonly outcomes: readonly CommitOutcome[];
  readonly last: number;
}

/** A parameter of `grs_commit` that is an array: its type, and its value for an item. */
type Parameter<T> = readonly [type: string, value: (item: T) => unknown];

const ofWrite: readonly Parameter<PreparedWrite>[] = [
  ['text', ({ kind }) => kind],
  ['text', ({ id }) => id],
  ['text', ({ row }) => row?.key],
  ['bigint', ({ row }) => row?.version],
  ['text', ({ row }) => row?.incarnation],
  ['text', ({ row }) => row?.created_at],
  ['text', ({ row }) => row?.modified_at],
  ['text', ({ row }) => row?.current],
  ['text', ({ row }) => row?.staged],
  ['text', ({ row }) => row?.history],
  ['bigint', ({ row }) => row?.checksum],
  ['bigint', ({ expectedVersion }) => expectedVersion],
  ['text', ({ expectedIncarnation }) => expectedIncarnation],
  ['boolean', ({ isOfDamaged }) => isOfDamaged],
  ['bigint', ({ continues }) => continues],
  ['bigint', ({ rules }) => rules?.version],
  ['bigint', ({ event }) => event?.at],
  ['text', ({ event }) => event?.type],
  ['text', ({ event }) => event?.key],
  ['bigint', ({ event }) => event?.version],
  ['text', ({ event }) => event?.incarnation],
  ['text', ({ event }) => event?.client],
  ['text', ({ event }) => event?.origin],
  ['text', ({ event }) => event?.before],
  ['bigint', ({ event, projectKey }) => event && contentChecksum(projectKey, event)],
  ['bigint', ({ event }) => event && bytesOf(event)],
  ['bigint', ({ nonce }) => nonce],
];

/** An item of a write, with the place of that in the statement, from 1. */
type Placed<T> = T & { readonly place: number };

function placed<T extends object>(
  writes: readonly PreparedWrite[],
  itemsOf: (write: PreparedWrite) => readonly T[],
): readonly Placed<T>[] {
  return writes.flatMap((write, at) => itemsOf(write).map((item) => ({ ...item, place: at + 1 })));
}

type Document = Placed<PreparedWrite['documents'][number] & { readonly log: string }>;

const ofDocument: readonly Parameter<Document>[] = [
  ['int', ({ place }) => place],
  ['bigint', ({ at }) => at],
  ['text', ({ type }) => type],
  ['text', ({ id }) => id],
  ['text', ({ key }) => key],
  ['bigint', ({ version }) => version],
  ['text', ({ client }) => client],
  ['text', ({ origin }) => origin],
  ['bigint', ({ place: _, log, ...event }) => contentChecksum(log, event)],
  ['bigint', bytesOf],
];

type Response = Placed<ReturnType<typeof responseRow>>;

const ofResponse: readonly Parameter<Response>[] = [
  ['int', ({ place }) => place],
  ['text', (row) => row.scope_hash],
  ['text', (row) => row.request_hash],
  ['int', (row) => row.status],
  ['text', (row) => row.headers],
  ['text', (row) => row.body],
  ['bigint', (row) => row.expires_at],
  ['bigint', (row) => row.body_checksum],
  ['bigint', (row) => checksumOf(responses, row)],
];

const ofMark: readonly Parameter<Placed<MarkRow>>[] = [
  ['int', ({ place }) => place],
  ['text', ({ id }) => id],
  ['text', ({ mark }) => mark],
];

const ofNeed: readonly Parameter<Placed<ResourceVersion>>[] = [
  ['int', ({ place }) => place],
  ['text', ({ id }) => id],
  ['bigint', ({ version }) => version],
  ['text', ({ incarnation }) => incarnation],
];

const listed = (table: readonly Parameter<never>[]) => table.map(([type]) => `${type}[]`);
const parameters = [
  ...['text', 'text', 'text', 'text', 'boolean', 'boolean', ...listed(ofWrite), ...listed(ofDocument)],
  ...['text', ...listed(ofResponse), ...listed(ofMark), ...listed(ofMark), ...listed(ofNeed)],
];
const text = `SELECT outcomes, last FROM grs_commit(${parameters.map((type, at) => `$${at + 1}::${type}`).join(', ')})`;

function valuesOf<T>(table: readonly Parameter<T>[], items: readonly T[]): readonly unknown[] {
  return table.map(([, value]) => items.map((item) => value(item) ?? null));
}

/** Commits changes of one project, of which no two share a name. Their responses have scopes of their own, in one partition. */
export function commitStatement(
  writes: readonly PreparedWrite[],
  { epoch, together, repeated }: CommitOptions,
): Statement {
  const { projectKey } = writes[0]!;
  const owner = logOf(projectKey);
  const documents = placed(writes, (write) => write.documents.map((event) => ({ ...event, log: owner })));
  const stored = placed(writes, ({ response }) => {
    if (!response) return [];
    const key = { project_key: responsePartition(response.scope), scope_hash: responseKey(response.scope) };
    return [{ ...responseRow(response), ...key }];
  });
  const marksOf = (id: string, marks: readonly string[] = []) => marks.map((mark) => ({ id, mark }));
  const marks = placed(writes, ({ id, rules }) => marksOf(id, rules?.marks));
  const free = placed(writes, ({ id, rules }) => marksOf(id, rules && [...rules.unique, ...rules.forbidden]));
  const needs = placed(writes, ({ rules }) => rules?.needs ?? []);
  const values = [
    ...[projectKey, epochOf(projectKey, epoch), owner, epochOf(owner, epoch), together ?? false, repeated ?? false],
    ...valuesOf(ofWrite, writes),
    ...valuesOf(ofDocument, documents),
    ...[stored[0]?.project_key ?? '', ...valuesOf(ofResponse, stored)],
    ...[...valuesOf(ofMark, marks), ...valuesOf(ofMark, free), ...valuesOf(ofNeed, needs)],
  ];
  return { name: 'commit', text, values };
}

/** Runs `commitStatement`. */
export async function commitWrites(
  connection: Connection,
  writes: readonly PreparedWrite[],
  options: CommitOptions,
): Promise<Committed> {
  const [row] = await connection.query<{ outcomes: (CommitOutcome | 'done')[]; last: number }>(
    commitStatement(writes, options),
  );
  const { outcomes, last } = row!;
  return { outcomes: outcomes.map((outcome) => (outcome === 'done' ? 'committed' : outcome)), last };
}
