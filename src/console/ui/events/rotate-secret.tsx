import { useState } from 'preact/hooks';
import { errorText } from '../app/notices.tsx';
import { texts } from '../app/texts.ts';
import { CopyAs } from '../components/copy-as.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Problem } from '../components/problem.tsx';
import { read, type Subscription, updateCall } from './subscription.ts';

interface RotateSecretProps {
  readonly projectKey: string;
  readonly subscription: Subscription;
  /** Called with the new secret, which the API shows once. */
  readonly onRotated: (secret: string) => void;
  readonly onClose: () => void;
}

const usualOverlap = '86400';

/** Asks how long the old secret goes on to sign, and makes a new one. */
export function RotateSecret({ projectKey, subscription, onRotated, onClose }: RotateSecretProps) {
  const [overlap, setOverlap] = useState(usualOverlap);
  const [problem, setProblem] = useState('');
  const request = () =>
    updateCall(projectKey, subscription, [{ action: 'rotateSecret', overlapSeconds: Number(overlap) }]);

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    try {
      onRotated((await read<{ secret: string }>(projectKey, request())).secret);
    } catch (error) {
      setProblem(errorText(error));
    }
  }

  return (
    <Dialog label={texts.subscriptions.rotate} onClose={onClose}>
      <form onSubmit={submit}>
        <h1>{texts.subscriptions.rotate}</h1>
        <p>{texts.subscriptions.rotateHint}</p>
        <label>
          {texts.subscriptions.overlap}
          <select value={overlap} onChange={(event) => setOverlap(event.currentTarget.value)}>
            {['604800', '86400', '3600', '0'].map((seconds) => (
              <option key={seconds} value={seconds}>
                {texts.subscriptions.overlaps[seconds]}
              </option>
            ))}
          </select>
        </label>
        <Problem text={problem} />
        <div class="actions">
          <CopyAs call={request} />
          <span class="space" />
          <button type="button" onClick={onClose}>
            {texts.cancel}
          </button>
          <button type="submit" class="main">
            {texts.subscriptions.rotate}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
