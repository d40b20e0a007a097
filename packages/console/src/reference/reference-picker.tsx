import { useEffect, useState } from 'preact/hooks';
import type { JsonMap } from '../api/json.ts';
import { errorText } from '../app/notices.tsx';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Combobox } from '../components/inputs/options.tsx';
import { Problem } from '../components/problem.tsx';
import { nameOf } from '../model/names.ts';
import { findTargets } from './targets.ts';

interface PickerProps {
  readonly projectKey: string;
  readonly onPick: (document: JsonMap) => void;
  readonly onClose: () => void;
}

const pauseMs = 150;

/** Chooses a resource by its key or by words of its texts. */
export function ReferencePicker({ projectKey, onPick, onClose }: PickerProps) {
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly JsonMap[]>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const ended = new AbortController();
    const timer = setTimeout(
      () => {
        findTargets(projectKey, text.trim(), ended.signal)
          .then((documents) => {
            if (ended.signal.aborted) return;
            setFound(documents);
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
  return (
    <Dialog label="Choose a resource" onClose={onClose}>
      <div class="stack">
        <h1>Choose a resource</h1>
        <Combobox
          id="reference-options"
          name="Key, or words of its texts"
          label="Resources"
          text={text}
          onText={setText}
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
