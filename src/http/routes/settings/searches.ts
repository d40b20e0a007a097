import { list, object, text } from '../../../contract/json.ts';
import { countLimits } from '../../../domain/search/counts/search-counts.ts';
import type { Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { answer, jsonResponse } from '../json.ts';

const count = { type: 'integer', minimum: 0 } as const;

const searchesSchema = object('Searches', {
  days: { ...count, description: 'Over how many days they are counted.' },
  searches: list(
    object('SearchCount', {
      locale: text('The first locale of the search.'),
      text: text('What was typed, in lower case.'),
      count: { ...count, minimum: 1 },
      withoutHits: { ...count, description: 'How many of them found nothing.' },
      lastAt: text('The minute of the last one.', { format: 'date-time' }),
    }),
    { maxItems: 1000, description: 'The most frequent first.' },
  ),
});

const example = {
  days: countLimits.days,
  searches: [{ locale: 'en', text: 'oak chair', count: 41, withoutHits: 0, lastAt: '2026-11-22T17:05:00.000Z' }],
};

/** What a project is searched for. */
export function searchesRoutes({ searchCounts }: RouteDeps): readonly Route[] {
  return [
    {
      tag: 'Settings',
      path: '/:projectKey/searches',
      access: ['manage_project'],
      operationId: 'listSearches',
      method: 'GET',
      summary: 'List what was searched for',
      description:
        'The texts of searches of the last 30 days and how often they were searched for, the most frequent first. Nothing is kept of who searched. `countSearches` in the settings of the search turns it off.',
      query: {
        withoutHits: {
          type: 'boolean',
          description: 'Only texts that have found nothing, those that did so most often first.',
          default: false,
        },
        locale: { type: 'string', description: 'Only texts in this locale.', example: 'en' },
        limit: { type: 'integer', description: 'The number of texts.', minimum: 1, maximum: 1000, default: 100 },
      },
      responses: { 200: answer('What was searched for.', searchesSchema, example) },
      async handler({ projectKey, query }) {
        const locale = query.get('locale');
        const of = query.get('withoutHits') === true ? 'withoutHits' : 'count';
        const all = (await searchCounts.of(projectKey)).filter(
          (each) => each[of] > 0 && (locale === undefined || each.locale === locale),
        );
        const searches = all
          .toSorted((a, b) => b[of] - a[of] || (a.lastAt < b.lastAt ? 1 : -1))
          .slice(0, (query.get('limit') as number | undefined) ?? 100);
        return jsonResponse(200, { days: countLimits.days, searches });
      },
    },
  ];
}
