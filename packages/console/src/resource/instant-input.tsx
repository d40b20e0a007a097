import { useState } from 'preact/hooks';
import { mayWrite } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { instantText, localText } from '../model/instants.ts';

interface InstantProps {
  readonly labelledBy: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A point in time: the text as it is stored, and the same in the time of the person, to choose another one. */
export function InstantInput({ labelledBy, value, onChange }: InstantProps) {
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
