import { texts } from '../app/texts.ts';
import { type Charset, charsets } from './charset.ts';
import { type Separator, separators } from './csv.ts';

/** What a person said of the file. */
export interface Chosen {
  readonly charset?: Charset;
  readonly separator?: Separator;
}

interface FormProps {
  readonly charset: Charset;
  /** Undefined for lines of JSON. */
  readonly separator: Separator | undefined;
  readonly onChange: (change: Chosen) => void;
}

/** What the file is saved as: guessed by its beginning, and changed where the examples look wrong. */
export function FormChoice({ charset, separator, onChange }: FormProps) {
  return (
    <div class="line">
      <label>
        {texts.import.charset}
        <select value={charset} onChange={(event) => onChange({ charset: event.currentTarget.value as Charset })}>
          {charsets.map((one) => (
            <option key={one} value={one}>
              {texts.import.charsets[one]}
            </option>
          ))}
        </select>
      </label>
      {separator !== undefined && (
        <label>
          {texts.import.separator}
          <select
            value={separator}
            onChange={(event) => onChange({ separator: event.currentTarget.value as Separator })}
          >
            {separators.map((one) => (
              <option key={one} value={one}>
                {texts.import.separators[one]}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}
