import { useState } from 'preact/hooks';
import type { JsonMap } from '../api/json.ts';
import { notify, notifyError } from '../app/notices.tsx';
import { Button } from '../components/button.tsx';

interface SampleBarProps {
  readonly projectKey: string;
  readonly rows: readonly JsonMap[];
  readonly onRemoved: () => void;
}

/** Where the sample catalogue is in the project: a way to take all of it away again. */
export function SampleBar({ projectKey, rows, onRemoved }: SampleBarProps) {
  const [isBusy, setBusy] = useState(false);
  const isSample = ({ key, sample }: JsonMap) =>
    sample === true && typeof key === 'string' && key.startsWith('sample-');
  if (!rows.some(isSample)) return null;
  const remove = async () => {
    setBusy(true);
    try {
      const { removeSample } = await import('./sample.ts');
      await removeSample(projectKey);
      notify('The sample catalogue is removed.');
    } catch (error) {
      notifyError(error);
    } finally {
      setBusy(false);
      onRemoved();
    }
  };
  return (
    <div class="bar hint">
      <span>The sample catalogue is in this project.</span>
      <Button label="Remove the sample" isDisabled={isBusy} onClick={remove} />
    </div>
  );
}
