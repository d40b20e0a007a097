import { useState } from 'preact/hooks';
import type { Call } from '../api/client.ts';
import { errorText } from '../app/notices.tsx';
import { call } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from './button.tsx';
import { CopyAs } from './copy-as.tsx';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';

interface RotateSecretProps<T> {
  readonly projectKey: string;
  readonly label: string;
  readonly heading?: string;
  readonly words: {
    readonly rotate: string;
    readonly rotateHint: string;
    readonly overlap: string;
    /** By seconds. */
    readonly overlaps: Readonly<Record<string, string>>;
  };
  /** Seconds that are chosen at first. */
  readonly usual: string;
  /** The call that makes a new secret, of which the old one is good for so many seconds more. */
  readonly request: (overlapSeconds: number) => Call;
  /** Called with what the API shows once. */
  readonly onRotated: (shown: T) => void;
  readonly onClose: () => void;
}

/** Asks how long the old secret stays good, and makes a new one. */
export function RotateSecret<T>(props: RotateSecretProps<T>) {
  const { projectKey, label, heading = label, words, usual, request, onRotated, onClose } = props;
  const [overlap, setOverlap] = useState(usual);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    try {
      onRotated((await call(projectKey, request(Number(overlap)))).body as unknown as T);
    } catch (error) {
      setProblem(errorText(error));
      setBusy(false);
    }
  }

  return (
    <Dialog label={label} onClose={onClose}>
      <form onSubmit={submit}>
        <h1 dir="auto">{heading}</h1>
        <p>{words.rotateHint}</p>
        <label>
          {words.overlap}
          <select value={overlap} onChange={(event) => setOverlap(event.currentTarget.value)}>
            {Object.entries(words.overlaps).map(([seconds, name]) => (
              <option key={seconds} value={seconds}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Problem text={problem} />
        <div class="actions">
          <CopyAs call={() => request(Number(overlap))} />
          <span class="space" />
          <Button label={texts.cancel} onClick={onClose} />
          <Button isSubmit label={words.rotate} kind="main" isDisabled={isBusy} />
        </div>
      </form>
    </Dialog>
  );
}
