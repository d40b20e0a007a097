import { useState } from 'preact/hooks';
import type { Call } from '../api/client.ts';
import { errorText } from '../app/notices.tsx';
import { call } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { CopyAs } from '../components/copy-as.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Problem } from '../components/problem.tsx';
import { type ApiClient, type ClientSecret, clientPath } from './clients.ts';

interface RotateSecretProps {
  readonly projectKey: string;
  readonly client: ApiClient;
  readonly onRotated: (client: ClientSecret) => void;
  readonly onClose: () => void;
}

const hour = '3600';

/** Asks how long the secret before is to be accepted, and makes a new one. */
export function RotateSecret({ projectKey, client, onRotated, onClose }: RotateSecretProps) {
  const [overlap, setOverlap] = useState(hour);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const { access } = texts;
  const rotation: Call = {
    ...{ method: 'POST', path: clientPath(projectKey, client, 'rotate') },
    json: { overlapSeconds: Number(overlap) },
  };
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    try {
      onRotated((await call(projectKey, rotation)).body as unknown as ClientSecret);
    } catch (error) {
      setProblem(errorText(error));
      setBusy(false);
    }
  }
  return (
    <Dialog label={access.rotateLabel(client.name)} onClose={onClose}>
      <form onSubmit={submit}>
        <h1 dir="auto">{access.rotateQuestion(client.name)}</h1>
        <p>{access.rotateHint}</p>
        <label>
          {access.overlap}
          <select value={overlap} onChange={(event) => setOverlap(event.currentTarget.value)}>
            {Object.entries(access.overlaps).map(([seconds, label]) => (
              <option key={seconds} value={seconds}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <Problem text={problem} />
        <div class="actions">
          <CopyAs call={() => rotation} />
          <span class="space" />
          <button type="button" onClick={onClose}>
            {texts.cancel}
          </button>
          <button type="submit" class="main" disabled={isBusy}>
            {access.rotate}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
