import type { Found } from './ledger.ts';
import type { SendRequest } from './service-process.ts';

/** What the resources of the proofs look like. */
export interface Draft {
  readonly id: string;
  readonly key: string;
  readonly value: string;
  /** One of a few, so that an index finds many. */
  readonly kind: string;
  readonly name: { readonly en: string };
}

interface Stored extends Draft {
  readonly version: number;
}

/** Sends a GET; throws where it is not 200. */
async function get(request: SendRequest, path: string, token: string) {
  const { status, text } = await request({ path, token });
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`);
  return JSON.parse(text) as { readonly total?: number; readonly results: readonly Stored[] };
}

/** Everything that a project has, by its id, in pages. */
async function readAll(request: SendRequest, project: string, token: string): Promise<readonly Stored[]> {
  const all: Stored[] = [];
  for (let last: string | undefined = ''; last !== undefined; ) {
    const where = encodeURIComponent(`id > "${last}"`);
    const path = `/${project}/resource/sorted-query-parameters?limit=500&sort=id%20asc&withTotal=false&where=${where}`;
    const { results } = await get(request, path, token);
    all.push(...results);
    last = results.at(-1)?.id;
  }
  return all;
}

export interface ProjectState {
  readonly found: ReadonlyMap<string, Found>;
  /** Where a list by an index or a search does not agree with the resources. */
  readonly disagreements: readonly string[];
}

/** The resources of a project, and whether its lists and its search agree with them. */
export async function readProject(request: SendRequest, project: string, token: string): Promise<ProjectState> {
  const all = await readAll(request, project, token);
  const found = new Map(all.map(({ id, version, value }) => [id, { version, value }]));
  const disagreements: string[] = [];
  const expect = async (what: string, path: string, expected: number) => {
    const { total } = await get(request, `/${project}/resource/${path}`, token);
    if (total !== expected) disagreements.push(`index: ${project}: ${what} finds ${total} of ${expected}`);
  };
  for (const [kind, those] of Map.groupBy(all, (resource) => resource.kind)) {
    const where = encodeURIComponent(`kind="${kind}"`);
    await expect(`where kind="${kind}"`, `sorted-query-parameters?limit=0&where=${where}`, those.length);
  }
  await expect('the search for a common word', 'searchApiPattern?limit=0&text.en=common', all.length);
  const last = all.at(-1);
  if (last) {
    const where = encodeURIComponent(`value="${last.value}"`);
    await expect('where with a value', `sorted-query-parameters?limit=0&where=${where}`, 1);
  }
  return { found, disagreements };
}
