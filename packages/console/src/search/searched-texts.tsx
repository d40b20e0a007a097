import type { Searches } from 'generic-resource-service-client/api-types';
import { pathOf } from '../api/client.ts';
import { place, setQuery } from '../app/router.ts';
import { read } from '../app/session.ts';
import { Check } from '../components/inputs/fields.tsx';
import { Moment } from '../components/moment.tsx';
import { PlaceLink } from '../components/place-link.tsx';
import { Problem } from '../components/problem.tsx';
import { useRead } from '../model/use-read.ts';
import { type Column, ListTable } from '../table/list-table.tsx';

type SearchedText = Searches['searches'][number];

/** What customers search for, and what they do not find; each opens in the workbench. */
export function SearchedTexts({ projectKey }: { readonly projectKey: string }) {
  const withoutHits = place.value.query.get('withoutHits') === 'true';
  const { value, problem } = useRead((signal) => {
    const query = new URLSearchParams({ withoutHits: String(withoutHits), limit: '500' });
    return read<Searches>(projectKey, { path: pathOf(projectKey, 'searches'), query, signal });
  }, `${projectKey} ${withoutHits}`);
  const columns: readonly Column<SearchedText>[] = [
    {
      name: 'Text',
      kind: 'head',
      cell: ({ locale, text }) => (
        <PlaceLink to={{ projectKey, room: 'search', query: new URLSearchParams({ text, language: locale }) }}>
          {text}
        </PlaceLink>
      ),
    },
    { name: 'Language', cell: ({ locale }) => locale },
    { name: 'Searches', kind: 'number', cell: ({ count }) => count.toLocaleString('en') },
    { name: 'Without hits', kind: 'number', cell: (row) => row.withoutHits.toLocaleString('en') },
    { name: 'Last', cell: ({ lastAt }) => <Moment at={lastAt} isBrief /> },
  ];
  return (
    <div class="page">
      <p>
        <PlaceLink to={{ projectKey, room: 'search', query: new URLSearchParams() }}>← Search</PlaceLink>
      </p>
      <div class="bar">
        <h1>Searched texts</h1>
        <span class="space" />
        <Check
          label="Without hits only"
          isChecked={withoutHits}
          onChange={(is) => setQuery({ withoutHits: is ? 'true' : undefined })}
        />
      </div>
      <p class="hint">
        Finished searches of the last 30 days. Nothing is kept of who searched, and searches in this console do not
        count.
      </p>
      <Problem text={problem} />
      {value?.searches.length === 0 && (
        <p>{withoutHits ? 'Every search found something.' : 'Nothing was searched for.'}</p>
      )}
      {value !== undefined && value.searches.length > 0 && (
        <ListTable
          label="Searched texts"
          rows={value.searches}
          keyOf={({ locale, text }) => `${locale} ${text}`}
          columns={columns}
          isStacked
        />
      )}
    </div>
  );
}
