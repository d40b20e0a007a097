import { useEffect, useState } from 'preact/hooks';
import type { JsonMap } from '../api/json.ts';
import { errorText } from '../app/notices.tsx';
import { texts } from '../app/texts.ts';
import { focus } from '../browser/focus.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Options, optionId } from '../components/inputs/options.tsx';
import { Problem } from '../components/problem.tsx';
import { nameOf } from '../model/names.ts';
import { findTargets } from './targets.ts';

interface PickerProps {
  readonly projectKey: string;
  readonly onPick: (document: JsonMap) => void;
  readonly onClose: () => void;
}

const pauseMs = 150;
const optionsId = 'reference-options';

/** Chooses a resource by its key or by words of its texts. */
export function ReferencePicker({ projectKey, onPick, onClose }: PickerProps) {
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly JsonMap[]>();
  const [active, setActive] = useState(0);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const ended = new AbortController();
    const timer = setTimeout(
      () => {
        findTargets(projectKey, text.trim(), ended.signal)
          .then((documents) => {
            if (ended.signal.aborted) return;
            setFound(documents);
            setActive(0);
            setProblem('');
          })
          .catch((error: unknown) => {
            if (!ended.signal.aborted) setProblem(errorText(error));
          });
      },
      text === '' ? 0 : pauseMs,
    );
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [text]);

  const documents = found ?? [];
  const pressed = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && documents.length > 0) {
      event.preventDefault();
      setActive((active + step + documents.length) % documents.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const chosen = documents[active];
      if (chosen) onPick(chosen);
    }
  };
  return (
    <Dialog label={texts.reference.heading} onClose={onClose}>
      <div class="stack">
        <h1>{texts.reference.heading}</h1>
        <label>
          Key, or words of its texts
          <input
            ref={focus}
            value={text}
            role="combobox"
            aria-expanded={documents.length > 0}
            aria-controls={optionsId}
            aria-activedescendant={documents.length > 0 ? optionId(optionsId, active) : undefined}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={pressed}
          />
        </label>
        <Options
          id={optionsId}
          label="Resources"
          active={active}
          options={documents.map((document) => ({
            key: document.id as string,
            content: (
              <>
                <span dir="auto">{nameOf(document)}</span>
                <code dir="auto">{String(document.key ?? document.id)}</code>
              </>
            ),
          }))}
          onTake={(at) => onPick(documents[at]!)}
        />
        <p class="hint" role="status">
          {found === undefined ? texts.loading : found.length === 0 ? 'No matches.' : ''}
        </p>
        <Problem text={problem} />
        <div class="actions">
          <Button label={texts.cancel} onClick={onClose} />
        </div>
      </div>
    </Dialog>
  );
}
