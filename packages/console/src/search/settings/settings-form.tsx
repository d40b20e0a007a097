import { texts } from '../../app/texts.ts';
import { optionsOf, Select } from '../../components/inputs/choice.tsx';
import { Check } from '../../components/inputs/fields.tsx';
import { boostCells } from './boost-rows.ts';
import { type Draft, emptyBoost, type PinRow, type Refusal, type StopWordRow, type SynonymRow } from './draft.ts';
import { type Cell, SettingRows } from './rows.tsx';

interface SettingsFormProps {
  readonly draft: Draft;
  readonly refusal: Refusal | undefined;
  readonly onChange: (next: Partial<Draft>) => void;
}

const path = { label: 'Path', class: 'grow code' } as const;
const locale = { label: texts.settings.locale, class: 'short' } as const;
const ways = optionsOf({ bothWays: 'both ways', oneWay: 'one way' });

/** Words that find each other, or those that find others. */
function synonymCells(row: SynonymRow, place: string): readonly Cell<SynonymRow>[] {
  const { isOneWay, words, to } = row;
  const next = (change: Partial<SynonymRow>) => ({ ...row, ...change });
  const wide = { class: 'grow' } as const;
  return [
    { ...locale, value: row.locale, places: [`${place}.locale`], next: (own) => next({ locale: own }) },
    {
      label: 'Direction',
      value: isOneWay ? 'oneWay' : 'bothWays',
      options: ways,
      next: (way) => next({ isOneWay: way === 'oneWay' }),
    },
    {
      ...wide,
      label: isOneWay ? 'These words find' : texts.settings.words,
      value: words,
      places: [`${place}.words`, `${place}.from`],
      next: (own) => next({ words: own }),
    },
    ...(isOneWay
      ? [
          {
            ...wide,
            label: 'what has these',
            value: to,
            places: [`${place}.to`],
            next: (own: string) => next({ to: own }),
          },
        ]
      : []),
  ];
}

function stopWordCells(row: StopWordRow, place: string): readonly Cell<StopWordRow>[] {
  const next = (words: string) => ({ ...row, words });
  return [
    { ...locale, value: row.locale, next: (own) => ({ ...row, locale: own }) },
    { label: texts.settings.words, class: 'grow', value: row.words, places: [place], next },
  ];
}

const pinLabels = { text: 'Text', pinned: 'First', hidden: 'Never' } as const;

function pinCells(row: PinRow, place: string): readonly Cell<PinRow>[] {
  const names = ['text', 'pinned', 'hidden'] as const;
  return [
    { ...locale, value: row.locale, places: [`${place}.locale`], next: (own) => ({ ...row, locale: own }) },
    ...names.map((name) => ({
      label: pinLabels[name],
      class: name === 'text' ? 'grow' : 'grow code',
      ...(name !== 'text' && { placeholder: 'key=sofa-1' }),
      value: row[name],
      places: [`${place}.${name}`],
      next: (own: string) => ({ ...row, [name]: own }),
    })),
  ];
}

type ListName = 'weights' | 'excludedPaths' | 'types' | 'synonyms' | 'stopWords' | 'boosts' | 'pins';

/** All settings, to edit. */
export function SettingsForm({ draft, refusal, onChange }: SettingsFormProps) {
  const { match, synonyms } = draft;
  const t = texts.settings;
  const listOf = <Name extends ListName>(name: Name) => ({
    rows: draft[name],
    refusal,
    onChange: (rows: Draft[Name]) => onChange({ [name]: rows }),
  });
  return (
    <div class="settings stack">
      <label>
        Words that must match by default
        <Select<string>
          value={match}
          options={optionsOf(texts.search.matches, ['auto', 'all', 'most', 'any'])}
          onChoose={(next) => onChange({ match: next })}
        />
      </label>
      <SettingRows
        heading="Weights"
        hint="How much the words of a field, and of all below it, count. Of other fields 1; up to 100."
        empty={{ path: '', weight: '2' }}
        placeOf={(row) => `weights.${row.path.trim()}`}
        cellsOf={(row, place) => [
          { ...path, placeholder: 'brand', value: row.path, places: [place], next: (own) => ({ ...row, path: own }) },
          {
            label: 'Weight',
            class: 'short',
            value: row.weight,
            places: [place],
            next: (weight) => ({ ...row, weight }),
          },
        ]}
        {...listOf('weights')}
      />
      <SettingRows
        heading="Fields that are not searched"
        hint="Notes, addresses of pictures: their words are not found."
        empty=""
        placeOf={(_, at) => `excludedPaths[${at}]`}
        cellsOf={(row, place) => [{ ...path, value: row, places: [place], next: (own) => own }]}
        {...listOf('excludedPaths')}
      />
      <SettingRows
        heading="Names that are not languages"
        hint="Sizes by country and the like, whose names look like languages (uk, eu): the words are found in every language."
        empty={{ path: '', type: 'plain' }}
        placeOf={(row) => `types.${row.path.trim()}`}
        cellsOf={(row, place) => [
          { ...path, value: row.path, places: [place], next: (own) => ({ ...row, path: own }) },
          {
            label: 'Texts there are',
            value: row.type,
            options: optionsOf(t.typeNames),
            next: (type) => ({ ...row, type }),
          },
        ]}
        {...listOf('types')}
      />
      <SettingRows
        heading="Synonyms"
        hint="Words with commas between them. Both ways: each finds the others. One way: the first find the second, and not the other way round."
        // A new row probably is of the language of the last one.
        empty={{ locale: synonyms.at(-1)?.locale ?? 'en', isOneWay: false, words: '', to: '' }}
        placeOf={(_, at) => `synonyms[${at}]`}
        cellsOf={synonymCells}
        {...listOf('synonyms')}
      />
      <SettingRows
        heading="Stop words"
        hint="Words that need not match, in addition to those of the language, such as “the”."
        empty={{ locale: 'en', words: '' }}
        placeOf={(row) => `stopWords.${row.locale.trim()}`}
        cellsOf={stopWordCells}
        {...listOf('stopWords')}
      />
      <SettingRows
        heading="Boosts"
        hint="What the score of some resources is multiplied by: above 1 they come earlier among equally good hits, below 1 later. The effect halves with each half-life, in days, or with each scale that a number is away from the origin."
        empty={emptyBoost}
        placeOf={(_, at) => `boosts[${at}]`}
        cellsOf={boostCells}
        {...listOf('boosts')}
      />
      <SettingRows
        heading="Pinned and hidden resources"
        hint="For a text, in any order and form of its words: what comes first, in this order, and what is not found. Ids, or keys as key=sofa-1, with commas between."
        empty={{ locale: draft.pins.at(-1)?.locale ?? 'en', text: '', pinned: '', hidden: '' }}
        placeOf={(_, at) => `pins[${at}]`}
        cellsOf={pinCells}
        {...listOf('pins')}
      />
      <Check
        label="Count searched texts"
        isChecked={draft.countSearches}
        onChange={(countSearches) => onChange({ countSearches })}
      />
    </div>
  );
}
