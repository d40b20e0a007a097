import { texts } from '../../app/texts.ts';
import { optionsOf, Select } from '../../components/inputs/choice.tsx';
import {
  type Draft,
  isAbout,
  type Refusal,
  type StopWordRow,
  type SynonymRow,
  type TypeRow,
  type WeightRow,
} from './draft.ts';
import { SettingRows } from './rows.tsx';

interface SettingsFormProps {
  readonly draft: Draft;
  readonly refusal: Refusal | undefined;
  readonly onChange: (next: Partial<Draft>) => void;
}

const emptyWeight: WeightRow = { path: '', weight: '2' };
const emptyType: TypeRow = { path: '', type: 'plain' };
const emptySynonym: SynonymRow = { locale: 'en', isOneWay: false, words: '', to: '' };
const emptyStopWords: StopWordRow = { locale: 'en', words: '' };

interface InputProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly isInvalid?: boolean;
  readonly class?: string;
  readonly placeholder?: string;
}

/** An input with its label above. */
function Input({ label, value, onInput, isInvalid = false, class: name, placeholder }: InputProps) {
  return (
    <label class={name}>
      <span class="hint">{label}</span>
      <input
        dir="auto"
        spellcheck={false}
        value={value}
        placeholder={placeholder}
        aria-invalid={isInvalid}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
}

interface RowsProps<Row> {
  readonly rows: readonly Row[];
  readonly refusal: Refusal | undefined;
  readonly onChange: (rows: readonly Row[]) => void;
}

const isRefused = (refusal: Refusal | undefined, place: string) => refusal !== undefined && isAbout(refusal, place);

function PathInput({ path, place, refusal, placeholder, onInput }: PathInputProps) {
  return (
    <Input
      label="Path"
      class="grow code"
      {...(placeholder !== undefined && { placeholder })}
      value={path}
      isInvalid={isRefused(refusal, place)}
      onInput={onInput}
    />
  );
}

interface PathInputProps {
  readonly path: string;
  /** As messages of the API name it. */
  readonly place: string;
  readonly refusal: Refusal | undefined;
  readonly placeholder?: string;
  readonly onInput: (path: string) => void;
}

function WeightRows(props: RowsProps<WeightRow>) {
  const placeOf = ({ path }: WeightRow) => `weights.${path.trim()}`;
  return (
    <SettingRows
      {...props}
      heading="Weights"
      hint="How much the words of a field, and of all below it, count. Of other fields 1; up to 100."
      empty={emptyWeight}
      placeOf={placeOf}
    >
      {(row, change) => (
        <>
          <PathInput
            path={row.path}
            place={placeOf(row)}
            refusal={props.refusal}
            placeholder="brand"
            onInput={(path) => change({ path })}
          />
          <Input
            label="Weight"
            class="short"
            value={row.weight}
            isInvalid={isRefused(props.refusal, placeOf(row))}
            onInput={(weight) => change({ weight })}
          />
        </>
      )}
    </SettingRows>
  );
}

function ExcludedRows(props: RowsProps<string>) {
  const placeOf = (_: string, at: number) => `excludedPaths[${at}]`;
  return (
    <SettingRows
      {...props}
      heading="Fields that are not searched"
      hint="Notes, addresses of pictures: their words are not found."
      empty=""
      placeOf={placeOf}
    >
      {(path, change, at) => (
        <PathInput path={path} place={placeOf(path, at)} refusal={props.refusal} onInput={change} />
      )}
    </SettingRows>
  );
}

function TypeRows(props: RowsProps<TypeRow>) {
  const t = texts.settings;
  const placeOf = ({ path }: TypeRow) => `types.${path.trim()}`;
  return (
    <SettingRows
      {...props}
      heading="Names that are not languages"
      hint="Sizes by country and the like, whose names look like languages (uk, eu): the words are found in every language."
      empty={emptyType}
      placeOf={placeOf}
    >
      {(row, change) => (
        <>
          <PathInput
            path={row.path}
            place={placeOf(row)}
            refusal={props.refusal}
            onInput={(path) => change({ path })}
          />
          <label class="way">
            <span class="hint">Texts there are</span>
            <Select<string> value={row.type} options={optionsOf(t.typeNames)} onChoose={(type) => change({ type })} />
          </label>
        </>
      )}
    </SettingRows>
  );
}

function SynonymRows(props: RowsProps<SynonymRow>) {
  const t = texts.settings;
  const placeOf = (_: SynonymRow, at: number) => `synonyms[${at}]`;
  // A new row probably is of the language of the last one.
  const empty = { ...emptySynonym, locale: props.rows.at(-1)?.locale ?? emptySynonym.locale };
  return (
    <SettingRows
      {...props}
      heading="Synonyms"
      hint="Words with commas between them. Both ways: each finds the others. One way: the first find the second, and not the other way round."
      empty={empty}
      placeOf={placeOf}
    >
      {(row, change, at) => {
        const isWrong = (...fields: readonly string[]) =>
          fields.some((field) => isRefused(props.refusal, `${placeOf(row, at)}.${field}`));
        return (
          <>
            <Input
              label={t.locale}
              class="short"
              value={row.locale}
              isInvalid={isWrong('locale')}
              onInput={(locale) => change({ locale })}
            />
            <label class="way">
              <span class="hint">Direction</span>
              <Select
                value={row.isOneWay ? 'oneWay' : 'bothWays'}
                options={optionsOf({ bothWays: 'both ways', oneWay: 'one way' })}
                onChoose={(way) => change({ isOneWay: way === 'oneWay' })}
              />
            </label>
            <Input
              label={row.isOneWay ? 'These words find' : t.words}
              class="grow"
              value={row.words}
              isInvalid={isWrong('words', 'from')}
              onInput={(words) => change({ words })}
            />
            {row.isOneWay && (
              <Input
                label="what has these"
                class="grow"
                value={row.to}
                isInvalid={isWrong('to')}
                onInput={(to) => change({ to })}
              />
            )}
          </>
        );
      }}
    </SettingRows>
  );
}

function StopWordRows(props: RowsProps<StopWordRow>) {
  const t = texts.settings;
  const placeOf = ({ locale }: StopWordRow) => `stopWords.${locale.trim()}`;
  return (
    <SettingRows
      {...props}
      heading="Stop words"
      hint="Words that need not match, in addition to those of the language, such as “the”."
      empty={emptyStopWords}
      placeOf={placeOf}
    >
      {(row, change) => (
        <>
          <Input label={t.locale} class="short" value={row.locale} onInput={(locale) => change({ locale })} />
          <Input
            label={t.words}
            class="grow"
            value={row.words}
            isInvalid={isRefused(props.refusal, placeOf(row))}
            onInput={(words) => change({ words })}
          />
        </>
      )}
    </SettingRows>
  );
}

/** All settings, to edit. */
export function SettingsForm({ draft, refusal, onChange }: SettingsFormProps) {
  const { match, weights, excludedPaths, types, synonyms, stopWords } = draft;
  const t = texts.settings;
  return (
    <div class="settings">
      <label class="narrow-choice">
        Words that must match by default
        <Select<string> value={match} options={optionsOf(t.matches)} onChoose={(next) => onChange({ match: next })} />
      </label>
      <WeightRows rows={weights} refusal={refusal} onChange={(rows) => onChange({ weights: rows })} />
      <ExcludedRows rows={excludedPaths} refusal={refusal} onChange={(rows) => onChange({ excludedPaths: rows })} />
      <TypeRows rows={types} refusal={refusal} onChange={(rows) => onChange({ types: rows })} />
      <SynonymRows rows={synonyms} refusal={refusal} onChange={(rows) => onChange({ synonyms: rows })} />
      <StopWordRows rows={stopWords} refusal={refusal} onChange={(rows) => onChange({ stopWords: rows })} />
    </div>
  );
}
