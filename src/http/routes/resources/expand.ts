import type { JsonObject } from '../../../contract/json.ts';
import { parseStoredJson, stringifyJson } from '../../../domain/json/parse.ts';
import { textsOf } from '../../../domain/paging.ts';
import type { ResourceRecord } from '../../../domain/ports/resource-store.ts';
import type { ResourceReads } from '../../../domain/ports/store.ts';
import { type ExpandPath, expandDocuments, parseExpand } from '../../../domain/resource/read/expand.ts';
import type { ParameterTable, QueryValues } from '../../route.ts';
import { paging } from './list-parameters.ts';

/** Expansion of the references of a single resource, as lists have it (decisions 16 and 96). */

type PointReads = Pick<ResourceReads, 'get' | 'getByKey'>;

/** The query parameter of reads and writes of one resource. */
export const expandParameter = { expand: paging.expand! } satisfies ParameterTable;

/** The query parameter of reads of one resource. */
export const fieldsParameter = { fields: paging.fields! } satisfies ParameterTable;

/** The paths to expand; none for most requests. */
export function expandPathsOf(query: QueryValues): readonly ExpandPath[] {
  return query.has('expand') ? parseExpand(textsOf(query, 'expand')) : [];
}

interface ExpandTextSource {
  readonly store: PointReads;
  readonly projectKey: string;
  readonly staged: boolean;
  /** The public address, before the paths of images. */
  readonly baseUrl: string;
}

/** The text of a projection of a resource with its references expanded. */
export async function expandText(
  text: string,
  paths: readonly ExpandPath[],
  source: ExpandTextSource,
  maxPageBytes: number,
): Promise<string> {
  const document = parseStoredJson(text) as JsonObject;
  const maxCharacters = maxPageBytes - text.length;
  const [expanded] = await expandDocuments([document], paths, { ...source, maxCharacters });
  return stringifyJson(expanded!);
}

/** The store as it is after a write of one resource, for references of that resource to itself. */
export function withRecord(store: PointReads, record: ResourceRecord): PointReads {
  const isOther = (found: ResourceRecord | undefined) => (found?.id === record.id ? undefined : found);
  return {
    get: (projectKey, id) => (id === record.id ? record : store.get(projectKey, id)),
    async getByKey(projectKey, key) {
      return key === record.key ? record : isOther(await store.getByKey(projectKey, key));
    },
  };
}
