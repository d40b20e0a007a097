import { parseStoredJson } from '../../src/domain/json/parse.ts';
import type { SearchPage } from '../../src/domain/ports/list-query.ts';
import type { SearchQuery } from '../../src/domain/search/query/query.ts';

/** The ids of a page, in their order. */
export function idsOf({ results }: SearchPage): readonly string[] {
  return (parseStoredJson(`[${results}]`) as unknown as { readonly id: string }[]).map(({ id }) => id);
}

/** The pages of a search, each from where the one before it ended. */
export async function allPages(
  query: SearchQuery,
  search: (query: SearchQuery) => Promise<SearchPage>,
): Promise<readonly SearchPage[]> {
  const pages: SearchPage[] = [];
  for (let { after } = query; ; ) {
    const page = await search({ ...query, after });
    pages.push(page);
    if (page.next === undefined) return pages;
    after = page.next;
  }
}
