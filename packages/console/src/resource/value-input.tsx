import { useEffect, useRef, useState } from 'preact/hooks';
import { type Json, type JsonMap, jsonOf, numberOf, sameJson, writeJson } from '../api/json.ts';
import { setQuery } from '../app/router.ts';
import { mayWrite } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { EditorField } from '../editor/editor-field.tsx';
import { instantText, localText } from '../model/instants.ts';
import { labelId, type Path, pathText } from '../model/paths.ts';
import { ReferenceInput } from '../reference/reference-input.tsx';
import type { Editor } from './editor.ts';
import { Group } from './form.tsx';
import { hugeTextChars, keptShape, type Shape, shapeOf } from './shapes.ts';

interface ValueProps {
  readonly editor: Editor;
  readonly path: Path;
  readonly value: Json;
}

/** Characters shown of a huge value. */
const shownChars = 1000;

/** An input for a value, by its shape. */
export function ValueInput(props: ValueProps) {
  const { editor, path, value } = props;
  const labelledBy = labelId(path);
  const label = { 'aria-labelledby': labelledBy, readOnly: !mayWrite.value, dir: 'auto' } as const;
  const set = (next: Json) => editor.set(path, next);
  const line = <input {...label} value={value as string} onInput={(event) => set(event.currentTarget.value)} />;
  const shape = useRef<Shape>(undefined);
  const now = shapeOf(value, path.length);
  shape.current = shape.current === undefined ? now : keptShape(shape.current, now);
  switch (shape.current) {
    case 'instant':
      return <InstantInput labelledBy={labelledBy} value={value as string} onChange={set} />;
    case 'date':
      if (now !== 'date') return line;
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
      return <ReferenceInput labelledBy={labelledBy} value={value as JsonMap} onChange={set} />;
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
          aria-labelledby={labelledBy}
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

interface InstantProps {
  readonly labelledBy: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A point in time: the text as it is stored, and the same in the time of the person, to choose another one. */
function InstantInput({ labelledBy, value, onChange }: InstantProps) {
  // The picker keeps an incomplete date.
  const [picked, setPicked] = useState<{ readonly local: string; readonly value: string }>();
  const local = picked?.value === value ? picked.local : localText(value);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <div class="instant tiles">
      <input
        aria-labelledby={labelledBy}
        value={value}
        readOnly={!mayWrite.value}
        spellcheck={false}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {mayWrite.value && (
        <input
          type="datetime-local"
          step={1}
          aria-label={texts.resource.localTime(zone)}
          title={texts.resource.localTime(zone)}
          value={local}
          onInput={(event) => {
            const text = instantText(event.currentTarget.value, value);
            if (text === undefined) return;
            setPicked({ local: event.currentTarget.value, value: text });
            onChange(text);
          }}
        />
      )}
    </div>
  );
}

function JsonInput(props: ValueProps) {
  const write = (json: Json) => writeJson(json, 2);
  return <ParsedInput {...props} write={write} parse={jsonOf} problem={texts.resource.jsonInvalid} isLong />;
}

interface HugeProps {
  readonly text: string;
  readonly action: string;
  readonly onOpen: () => void;
}

/** The beginning of a value that is too large for an input, and a button that opens an editor made for such. */
function Huge({ text, action, onOpen }: HugeProps) {
  return (
    <>
      <pre class="code" dir="auto">
        {text.slice(0, shownChars)}…
      </pre>
      <div class="line">
        <span class="hint">{`The beginning of ${text.length.toLocaleString('en')} characters`}</span>
        <Button label={action} onClick={onOpen} />
      </div>
    </>
  );
}

interface HugeTextProps {
  readonly labelledBy: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** A text that inputs are too slow for: its beginning, and on request all of it in an editor. */
function HugeText({ labelledBy, value, onChange }: HugeTextProps) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen)
    return <EditorField labelledBy={labelledBy} text={value} isReadOnly={!mayWrite.value} onChange={onChange} />;
  const action = mayWrite.value ? 'Edit the whole text' : 'Show the whole text';
  return <Huge text={value} action={action} onOpen={() => setOpen(true)} />;
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
function ParsedInput({ editor, path, value, write, parse, problem, isLong, inputMode }: ParsedProps) {
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
    'aria-invalid': isInvalid,
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
  const isTexts = items.length === 0 || typeof items[0] === 'string';
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
