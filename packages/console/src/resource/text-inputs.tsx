import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { mayWrite } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { EditorField } from '../editor/editor-field.tsx';
import { instantText, localText } from '../model/instants.ts';

/** Inputs for texts that are points in time, and for those that are very long. */

interface InstantProps {
  readonly named: ComponentProps<'input'>;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A point in time: the text as it is stored, and the same in the time of the person, to choose another one. */
export function InstantInput({ named, value, onChange }: InstantProps) {
  // The picker keeps an incomplete date.
  const [picked, setPicked] = useState<{ readonly local: string; readonly value: string }>();
  const local = picked?.value === value ? picked.local : localText(value);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <div class="instant tiles">
      <input
        {...named}
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

/** Characters shown of a huge value. */
const shownChars = 1000;

interface HugeProps {
  readonly text: string;
  readonly action: string;
  readonly onOpen: () => void;
}

/** The beginning of a value that is too large for an input, and a button that opens an editor made for such. */
export function Huge({ text, action, onOpen }: HugeProps) {
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
export function HugeText({ labelledBy, value, onChange }: HugeTextProps) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen)
    return <EditorField labelledBy={labelledBy} text={value} isReadOnly={!mayWrite.value} onChange={onChange} />;
  const action = mayWrite.value ? 'Edit the whole text' : 'Show the whole text';
  return <Huge text={value} action={action} onOpen={() => setOpen(true)} />;
}
