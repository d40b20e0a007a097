import { useState } from 'preact/hooks';
import type { JsonMap } from '../api/json.ts';
import { notify, notifyError } from '../app/notices.tsx';
import { texts } from '../app/texts.ts';
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
      notify(texts.resources.sampleRemoved);
    } catch (error) {
      notifyError(error);
    } finally {
      setBusy(false);
      onRemoved();
    }
  };
  return (
    <div class="bar hint">
      <span>{texts.resources.sampleHint}</span>
      <Button label={texts.resources.sampleRemove} isDisabled={isBusy} onClick={remove} />
    </div>
  );
}
