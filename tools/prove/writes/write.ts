import type { ProcessRequest } from '../service-process.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type Fields = Readonly<Record<string, Json>>;

/** Names one resource. */
export type Target = { readonly id: string } | { readonly key: string };

/** What a client asks of the version that it writes over. */
export interface Conditions {
  readonly version?: number;
  readonly ifMatch?: string;
  /** Only if there is no resource. */
  readonly isCreation?: true;
}

export type Action = Fields & { readonly action: string };

export type DraftMode = 'replace' | 'merge' | 'overwrite';

/** A write of one resource. */
export type SingleWrite = Conditions &
  (
    | {
        readonly kind: 'draft';
        readonly mode: DraftMode | 'create';
        /** With the `id`, the `key` or both. */
        readonly draft: Fields;
      }
    | { readonly kind: 'update'; readonly target: Target; readonly actions: readonly Action[] }
    | { readonly kind: 'delete'; readonly target: Target }
    | { readonly kind: 'restore'; readonly target: Target; readonly chosen: Fields | undefined }
    | { readonly kind: 'complex'; readonly pair: readonly [string, string]; readonly body: Fields }
  );

export type Write =
  | SingleWrite
  | { readonly kind: 'batch'; readonly isAtomic: boolean; readonly operations: readonly SingleWrite[] }
  | { readonly kind: 'import'; readonly mode: DraftMode; readonly lines: readonly Fields[] }
  | { readonly kind: 'forget'; readonly id: string }
  | { readonly kind: 'document'; readonly name: 'document' | 'value'; readonly value: Json; readonly ifMatch?: string }
  | { readonly kind: 'upload'; readonly sku: string; readonly staged: boolean; readonly filename: string }
  | { readonly kind: 'variant'; readonly id: string; readonly version: number; readonly actions: readonly Action[] };

const encode = encodeURIComponent;
/** One pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const methods: Readonly<Record<string, string>> = { replace: 'POST', merge: 'PATCH', overwrite: 'PUT' };

/** A target as the segment of a path. */
export const segmentOf = (target: Target) => ('id' in target ? encode(target.id) : `key=${encode(target.key)}`);

const versioned = ({ version }: Conditions) => (version === undefined ? {} : { version });

function headersOf({ ifMatch, isCreation }: Conditions): Readonly<Record<string, string>> {
  if (isCreation) return { 'if-none-match': '*' };
  return ifMatch === undefined ? {} : { 'if-match': ifMatch };
}

/** An operation of a batch; conditions by tags do not exist there. */
function operationOf(write: SingleWrite): Fields {
  switch (write.kind) {
    case 'draft':
      return { operation: write.mode, draft: { ...write.draft, ...versioned(write) } };
    case 'update':
      return { operation: 'update', ...write.target, ...versioned(write), actions: write.actions };
    case 'delete':
      return { operation: 'delete', ...write.target, ...versioned(write) };
    default:
      throw new Error(`no operation of a batch: ${write.kind}`);
  }
}

/** The request of a write to a project. */
export function requestOf(project: string, write: Write): ProcessRequest {
  const resource = `/${project}/resource`;
  const post = (path: string, body?: unknown): ProcessRequest => ({
    method: 'POST',
    path,
    body,
    headers: headersOf(write as Conditions),
  });
  switch (write.kind) {
    case 'draft': {
      const method = methods[write.mode] ?? 'POST';
      return { ...post(resource, { ...write.draft, ...versioned(write) }), method };
    }
    case 'update':
      return post(`${resource}/${segmentOf(write.target)}`, { ...versioned(write), actions: write.actions });
    case 'delete': {
      const query = write.version === undefined ? '' : `?version=${write.version}`;
      return { ...post(`${resource}/${segmentOf(write.target)}${query}`), method: 'DELETE' };
    }
    case 'restore':
      return post(`${resource}/${segmentOf(write.target)}/restore`, write.chosen);
    case 'complex': {
      const [one, two] = write.pair;
      const body = write.version === undefined ? write.body : { ...write.body, version: String(write.version) };
      return post(`${resource}/artificially-complex/path/uri-parameter-one=${encode(one)}/${encode(two)}`, body);
    }
    case 'batch': {
      const query = write.isAtomic ? '' : '?atomic=false';
      return post(`${resource}/batch${query}`, { operations: write.operations.map(operationOf) });
    }
    case 'import': {
      const body = write.lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      const headers = { 'content-type': 'application/x-ndjson' };
      return { method: 'POST', path: `${resource}/import?mode=${write.mode}`, text: body, headers };
    }
    case 'forget':
      return { method: 'DELETE', path: `${resource}/${encode(write.id)}/history` };
    case 'document':
      return write.name === 'document'
        ? post(`${resource}/namespace-action`, write.value)
        : { ...post(`${resource}/json-serializable-primitive-type`, write.value), method: 'PUT' };
    case 'upload': {
      const query = `sku=${write.sku}&staged=${write.staged}&filename=${write.filename}`;
      const headers = { 'content-type': 'image/png' };
      return { method: 'POST', path: `${resource}/images?${query}`, text: picture, headers };
    }
    case 'variant':
      return post(`${resource}/${write.id}`, { version: write.version, actions: write.actions });
  }
}
