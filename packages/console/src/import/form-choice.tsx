import { texts } from '../app/texts.ts';
import { Choice, optionsOf } from '../components/inputs/choice.tsx';
import { type Charset, charsets } from './charset.ts';
import { type Separator, separators } from './csv.ts';

/** The choices of the user. */
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

/** Encoding and separator: guessed from the beginning of the file, and changed where the examples look wrong. */
export function FormChoice({ charset, separator, onChange }: FormProps) {
  return (
    <div class="line">
      <Choice
        label="Encoding (change it if letters look wrong)"
        value={charset}
        options={optionsOf(texts.import.charsets, charsets)}
        onChoose={(charset) => onChange({ charset })}
      />
      {separator !== undefined && (
        <Choice
          label="Cells are separated by"
          value={separator}
          options={optionsOf(texts.import.separators, separators)}
          onChoose={(separator) => onChange({ separator })}
        />
      )}
    </div>
  );
}
