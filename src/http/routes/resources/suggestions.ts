import { suggestionsExample, suggestionsSchema } from '../../../contract/search-pages.ts';
import type { SearchSettings } from '../../../domain/search/settings.ts';
import { searchSettings } from '../../../domain/search/settings-draft.ts';
import { parseSuggestions, type SuggestionQuery, suggestionsOf } from '../../../domain/search/suggestions.ts';
import type { Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { answer } from '../json.ts';
import { eventualHeaders, preferHeader, readWhere } from './eventual-reads.ts';
import { suggestionParameters } from './list-parameters.ts';
import { repeatedReads } from './repeated-reads.ts';

/** Suggestions while a customer types (decision 132). */
export function suggestionRoutes(deps: RouteDeps): readonly Route[] {
  const readRepeated = repeatedReads<SuggestionQuery, SearchSettings>(deps, {
    name: 'suggestions',
    parse: ({ query, projectKey }, settings, hidden) =>
      parseSuggestions(query, projectKey, hidden?.restricted(settings) ?? settings),
    async read(store, asked, request) {
      const page = await deps.slowQueries.watch(asked.query, 'suggestWords', request, () =>
        store.search(asked.query, request.signal()),
      );
      return { status: 200, body: JSON.stringify(suggestionsOf(asked, page)) };
    },
    dependsOnProject: () => true,
  });
  return [
    {
      operationId: 'suggestWords',
      method: 'GET',
      path: '/:projectKey/resource/suggestions',
      tag: 'Search',
      summary: 'Suggest words while typing',
      description:
        'Completes the last word of a text by the words of resources that have its other words, with their number. Where no resource has a word, `didYouMean` has the text with it corrected.',
      access: ['manage_test', 'view_test'],
      published: true,
      headers: [preferHeader],
      query: suggestionParameters,
      responses: {
        200: answer('The suggestions.', suggestionsSchema, suggestionsExample, eventualHeaders),
      },
      errors: ['QueryTimedOut'],
      async handler(request) {
        const settings = await deps.settings.of(searchSettings, request.projectKey);
        return readWhere(deps, request, (store, { hidden }) => readRepeated(store, request, settings, hidden));
      },
    },
  ];
}
