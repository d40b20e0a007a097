import { texts } from '../../app/texts.ts';
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

/** Everything that settings say, to edit. */
export function SettingsForm({ draft, refusal, onChange }: SettingsFormProps) {
  const t = texts.settings;
  const isRefused = (place: string) => refusal !== undefined && isAbout(refusal, place);
  return (
    <div class="settings">
      <label class="narrow-choice">
        {t.match}
        <select value={draft.match} onChange={(event) => onChange({ match: event.currentTarget.value })}>
          {Object.entries(t.matches).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <SettingRows
        heading={t.weights}
        hint={t.weightsHint}
        rows={draft.weights}
        empty={emptyWeight}
        placeOf={({ path }) => `weights.${path.trim()}`}
        refusal={refusal}
        onChange={(weights) => onChange({ weights })}
      >
        {({ path, weight }, change) => (
          <>
            <Input
              label={t.path}
              class="grow code"
              placeholder={t.pathPlaceholder}
              value={path}
              isInvalid={isRefused(`weights.${path.trim()}`)}
              onInput={(value) => change({ path: value })}
            />
            <Input
              label={t.weight}
              class="short"
              value={weight}
              isInvalid={isRefused(`weights.${path.trim()}`)}
              onInput={(value) => change({ weight: value })}
            />
          </>
        )}
      </SettingRows>
      <SettingRows
        heading={t.excluded}
        hint={t.excludedHint}
        rows={draft.excludedPaths}
        empty=""
        placeOf={(_, at) => `excludedPaths[${at}]`}
        refusal={refusal}
        onChange={(excludedPaths) => onChange({ excludedPaths })}
      >
        {(path, change, at) => (
          <Input
            label={t.path}
            class="grow code"
            value={path}
            isInvalid={isRefused(`excludedPaths[${at}]`)}
            onInput={(value) => change(value)}
          />
        )}
      </SettingRows>
      <SettingRows
        heading={t.types}
        hint={t.typesHint}
        rows={draft.types}
        empty={emptyType}
        placeOf={({ path }) => `types.${path.trim()}`}
        refusal={refusal}
        onChange={(types) => onChange({ types })}
      >
        {({ path, type }, change) => (
          <>
            <Input
              label={t.path}
              class="grow code"
              value={path}
              isInvalid={isRefused(`types.${path.trim()}`)}
              onInput={(value) => change({ path: value })}
            />
            <label class="way">
              <span class="hint">{t.type}</span>
              <select value={type} onChange={(event) => change({ type: event.currentTarget.value })}>
                {Object.entries(t.typeNames).map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
          </>
        )}
      </SettingRows>
      <SettingRows
        heading={t.synonyms}
        hint={t.synonymsHint}
        rows={draft.synonyms}
        empty={draft.synonyms.at(-1) ? { ...emptySynonym, locale: draft.synonyms.at(-1)!.locale } : emptySynonym}
        placeOf={(_, at) => `synonyms[${at}]`}
        refusal={refusal}
        onChange={(synonyms) => onChange({ synonyms })}
      >
        {({ locale, isOneWay, words, to }, change, at) => (
          <>
            <Input
              label={t.locale}
              class="short"
              value={locale}
              isInvalid={isRefused(`synonyms[${at}].locale`)}
              onInput={(value) => change({ locale: value })}
            />
            <label class="way">
              <span class="hint">{t.way}</span>
              <select
                value={isOneWay ? 'oneWay' : 'bothWays'}
                onChange={(event) => change({ isOneWay: event.currentTarget.value === 'oneWay' })}
              >
                <option value="bothWays">{t.bothWays}</option>
                <option value="oneWay">{t.oneWay}</option>
              </select>
            </label>
            <Input
              label={isOneWay ? t.from : t.words}
              class="grow"
              value={words}
              isInvalid={isRefused(`synonyms[${at}].words`) || isRefused(`synonyms[${at}].from`)}
              onInput={(value) => change({ words: value })}
            />
            {isOneWay && (
              <Input
                label={t.to}
                class="grow"
                value={to}
                isInvalid={isRefused(`synonyms[${at}].to`)}
                onInput={(value) => change({ to: value })}
              />
            )}
          </>
        )}
      </SettingRows>
      <SettingRows
        heading={t.stopWords}
        hint={t.stopWordsHint}
        rows={draft.stopWords}
        empty={emptyStopWords}
        placeOf={({ locale }) => `stopWords.${locale.trim()}`}
        refusal={refusal}
        onChange={(stopWords) => onChange({ stopWords })}
      >
        {({ locale, words }, change) => (
          <>
            <Input label={t.locale} class="short" value={locale} onInput={(value) => change({ locale: value })} />
            <Input
              label={t.words}
              class="grow"
              value={words}
              isInvalid={isRefused(`stopWords.${locale.trim()}`)}
              onInput={(value) => change({ words: value })}
            />
          </>
        )}
      </SettingRows>
    </div>
  );
}
