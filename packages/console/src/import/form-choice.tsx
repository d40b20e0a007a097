import { texts } from '../app/texts.ts';
import { optionsOf, Select } from '../components/inputs/choice.tsx';
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
        <Select
          value={charset}
          options={optionsOf(texts.import.charsets, charsets)}
          onChoose={(charset) => onChange({ charset })}
        />
      </label>
      {separator !== undefined && (
        <label>
          {texts.import.separator}
          <Select
            value={separator}
            options={optionsOf(texts.import.separators, separators)}
            onChoose={(separator) => onChange({ separator })}
          />
        </label>
      )}
    </div>
  );
}
