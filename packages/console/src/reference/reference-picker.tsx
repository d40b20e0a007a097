import { useState } from 'preact/hooks';
import type { JsonMap } from '../api/json.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Combobox } from '../components/inputs/options.tsx';
import { Problem } from '../components/problem.tsx';
import { nameOf } from '../model/names.ts';
import { useRead } from '../model/use-read.ts';
import { findTargets } from './targets.ts';

interface PickerProps {
  readonly projectKey: string;
  /** Only resources of this type. */
  readonly type: string | undefined;
  readonly onPick: (document: JsonMap) => void;
  readonly onClose: () => void;
}

const pauseMs = 150;

/** Chooses a resource by its key or by words of its texts. */
export function ReferencePicker({ projectKey, type, onPick, onClose }: PickerProps) {
  const [text, setText] = useState('');
  const { value: found, problem } = useRead((signal) => findTargets(projectKey, text.trim(), type, signal), text, {
    delayMs: text === '' ? 0 : pauseMs,
  });

  const documents = found ?? [];
  return (
    <Dialog label="Choose a resource" onClose={onClose}>
      <div class="stack">
        <h1>{type === undefined ? 'Choose a resource' : `Choose a resource of type ${type}`}</h1>
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
