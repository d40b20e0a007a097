import { useEffect, useRef, useState } from 'preact/hooks';
import { type Json, type JsonMap, jsonOf, numberOf, sameJson, writeJson } from '../api/json.ts';
import { setQuery } from '../app/router.ts';
import { mayWrite } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { labelId, type Path, pathText } from '../model/paths.ts';
import { ReferenceInput } from '../reference/reference-input.tsx';
import type { DeclaredField } from '../types/fields.ts';
import { ChoiceInput, ColorInput } from './declared-inputs.tsx';
import type { Editor } from './editor.ts';
import { Group } from './form.tsx';
import { hugeTextChars, keptShape, type Shape, shapeOf } from './shapes.ts';
import { Huge, HugeText, InstantInput } from './text-inputs.tsx';

interface ValueProps {
  readonly editor: Editor;
  readonly path: Path;
  readonly value: Json;
  /** What the type of the resource says of the field. */
  readonly declared?: DeclaredField | undefined;
  /** The ids of the elements that explain the field, or say why it was refused. */
  readonly describedBy?: string | undefined;
  readonly isRefused?: boolean;
}

/** An input for a value, by its shape. */
export function ValueInput(props: ValueProps) {
  const { editor, path, value, declared, describedBy, isRefused } = props;
  const labelledBy = labelId(path);
  const named = {
    'aria-labelledby': labelledBy,
    'aria-describedby': describedBy,
    ...(isRefused && { 'aria-invalid': true }),
  } as const;
  const label = { ...named, readOnly: !mayWrite.value, dir: 'auto' } as const;
  const set = (next: Json) => editor.set(path, next);
  const line = (
    <input
      {...label}
      inputMode={inputModes.get(declared?.format)}
      value={value as string}
      onInput={(event) => set(event.currentTarget.value)}
    />
  );
  const shape = useRef<Shape>(undefined);
  const now = shapeOf(value, path.length);
  shape.current = declaredShape(declared, now) ?? (shape.current === undefined ? now : keptShape(shape.current, now));
  if (declared?.allowed && mayWrite.value) {
    return <ChoiceInput named={named} value={value} allowed={declared.allowed} onChange={set} />;
  }
  if (declared?.widget === 'color' && (shape.current === 'text' || shape.current === 'longText')) {
    return <ColorInput label={label} value={value as string} onChange={set} />;
  }
  switch (shape.current) {
    case 'instant':
      return <InstantInput named={named} value={value as string} onChange={set} />;
    case 'date':
      if (now !== 'date' && value !== '') return line;
      return (
        <input
          {...label}
          type="date"
          value={value as string}
          onInput={(event) => {
            // Empty while a part of it is missing: what is stored stays until there is a whole date.
            if (event.currentTarget.value !== '') set(event.currentTarget.value);
          }}
        />
      );
    case 'hugeText':
      return <HugeText labelledBy={labelledBy} value={value as string} onChange={set} />;
    case 'reference':
      return (
        <ReferenceInput
          labelledBy={labelledBy}
          describedBy={describedBy}
          type={declared?.reference}
          value={value as JsonMap}
          onChange={set}
        />
      );
    case 'text':
      return line;
    case 'longText':
      return (
        <textarea {...label} rows={4} value={value as string} onInput={(event) => set(event.currentTarget.value)} />
      );
    case 'number':
      return (
        <ParsedInput
          {...props}
          write={String}
          parse={numberOf}
          problem={texts.resource.numberInvalid}
          inputMode="decimal"
        />
      );
    case 'boolean':
      return (
        <input
          type="checkbox"
          {...named}
          disabled={!mayWrite.value}
          checked={value as boolean}
          onChange={(event) => set(event.currentTarget.checked)}
        />
      );
    case 'localized':
      return <LocalizedInput {...props} />;
    case 'list':
      return <ListInput {...props} />;
    case 'object':
      return <Group {...props} />;
    case 'json':
      if (writeJson(value).length > hugeTextChars) {
        return <Huge text={writeJson(value)} action="Edit it as JSON" onOpen={() => setQuery({ tab: 'json' })} />;
      }
      return <JsonInput {...props} />;
  }
}

const inputModes = new Map<string | undefined, 'email' | 'url'>([
  ['email', 'email'],
  ['uri', 'url'],
]);

const isOfNumbers = ({ itemTypes }: DeclaredField): boolean =>
  itemTypes.length > 0 && itemTypes.every((type) => type === 'number' || type === 'integer');

/** False for a list of which a type says that other things than texts or numbers are in it. */
const isOfScalars = (declared: DeclaredField): boolean =>
  declared.reference === undefined && (isOfNumbers(declared) || declared.itemTypes.every((type) => type === 'string'));

/** How a value is edited by what its type says; undefined where it says nothing of it. */
function declaredShape(declared: DeclaredField | undefined, now: Shape): Shape | undefined {
  if (now === 'list' && declared) return isOfScalars(declared) ? undefined : 'json';
  if (!declared || (now !== 'text' && now !== 'longText' && now !== 'date' && now !== 'instant')) return undefined;
  if (declared.widget === 'textarea') return 'longText';
  if (declared.format === 'date') return 'date';
  return declared.format === 'date-time' ? 'instant' : undefined;
}

function JsonInput(props: ValueProps) {
  const write = (json: Json) => writeJson(json, 2);
  return <ParsedInput {...props} write={write} parse={jsonOf} problem={texts.resource.jsonInvalid} isLong />;
}

interface ParsedProps extends ValueProps {
  readonly write: (value: Json) => string;
  /** Undefined for a text that is no value. */
  readonly parse: (text: string) => Json | undefined;
  readonly problem: string;
  readonly isLong?: boolean;
  readonly inputMode?: 'decimal';
}

/** An input whose text has to be parsed. What is typed stays, also while it is no value. */
function ParsedInput(props: ParsedProps) {
  const { editor, path, value, write, parse, problem, isLong, inputMode, describedBy, isRefused = false } = props;
  const name = pathText(path);
  const [text, setText] = useState(() => write(value));
  const isInvalid = parse(text) === undefined;
  useEffect(() => {
    // Changed from outside: undone, saved, or edited as JSON.
    if (!sameJson(parse(text), value) && !editor.invalid.value.has(name)) setText(write(value));
  }, [value]);
  const type = (next: string) => {
    setText(next);
    const parsed = parse(next);
    const invalid = new Set(editor.invalid.value);
    if (parsed === undefined) invalid.add(name);
    else invalid.delete(name);
    editor.invalid.value = invalid;
    if (parsed !== undefined) editor.set(path, parsed);
  };
  const shared = {
    'aria-labelledby': labelId(path),
    'aria-describedby': describedBy,
    'aria-invalid': isInvalid || isRefused,
    value: text,
    readOnly: !mayWrite.value,
    spellcheck: false,
  } as const;
  return (
    <>
      {isLong ? (
        <textarea
          {...shared}
          class="code"
          rows={Math.min(12, text.split('\n').length + 1)}
          onInput={(event) => type(event.currentTarget.value)}
        />
      ) : (
        <input {...shared} inputMode={inputMode} onInput={(event) => type(event.currentTarget.value.trim())} />
      )}
      {isInvalid && <p class="problem">{problem}</p>}
    </>
  );
}

/** Suggested languages; the first missing one is the placeholder. */
const commonLanguages = ['en', 'de', 'fr', 'es', 'it'];

/** Texts by language, side by side. */
function LocalizedInput({ editor, path, value }: ValueProps) {
  const byLanguage = value as JsonMap;
  const [language, setLanguage] = useState('');
  return (
    <div class="localized tiles">
      {Object.entries(byLanguage).map(([tag, text]) => (
        <label key={tag}>
          <span>{tag}</span>
          <textarea
            rows={String(text).length > 60 ? 4 : 1}
            lang={tag}
            dir="auto"
            readOnly={!mayWrite.value}
            value={text as string}
            onInput={(event) => editor.set([...path, tag], event.currentTarget.value)}
          />
        </label>
      ))}
      {mayWrite.value && (
        <div class="line">
          <input
            aria-label="Language"
            placeholder={commonLanguages.find((tag) => !(tag in byLanguage))}
            value={language}
            pattern="[a-z]{2,3}(-[A-Za-z0-9]{2,4})*"
            size={6}
            onInput={(event) => setLanguage(event.currentTarget.value)}
          />
          <Button
            label={texts.resources.add}
            isDisabled={!/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,4})*$/.test(language) || language in byLanguage}
            onClick={() => {
              editor.set([...path, language], '');
              setLanguage('');
            }}
          />
        </div>
      )}
    </div>
  );
}

/** A list of texts or of numbers, one to a line. */
function ListInput(props: ValueProps) {
  const items = props.value as readonly Json[];
  const isOfTexts = !props.declared || !isOfNumbers(props.declared);
  const isTexts = items.length === 0 ? isOfTexts : typeof items[0] === 'string';
  const parse = (text: string): Json | undefined => {
    const lines = text === '' ? [] : text.split('\n');
    if (isTexts) return lines;
    const numbers = lines.filter((line) => line.trim() !== '').map((line) => numberOf(line.trim()));
    return numbers.includes(undefined) ? undefined : (numbers as Json[]);
  };
  const write = (value: Json) => (Array.isArray(value) ? value.map(String).join('\n') : '');
  const isPlain = items.every((item) => typeof item !== 'string' || !item.includes('\n'));
  if (!isPlain) return <JsonInput {...props} />;
  return <ParsedInput {...props} write={write} parse={parse} problem={texts.resource.numberInvalid} isLong />;
}
