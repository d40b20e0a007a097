import { useState } from 'preact/hooks';
import { serviceAddress } from '../api/base-address.ts';
import { curlOf, pathOf } from '../api/client.ts';
import type { JsonMap } from '../api/json.ts';
import { notifyError } from '../app/notices.tsx';
import { setQuery } from '../app/router.ts';
import { mayWrite } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';

interface EmptyProps {
  readonly projectKey: string;
  readonly isFiltered: boolean;
  readonly onLoaded: () => void;
  readonly onImport: () => void;
}

/** Shown instead of an empty table: ways to add resources. */
export function Empty({ projectKey, isFiltered, onLoaded, onImport }: EmptyProps) {
  const [isBusy, setBusy] = useState(false);
  if (isFiltered) {
    return (
      <div class="empty">
        <p>No resource matches the filter.</p>
        <Button label={texts.clearFilters} onClick={() => setQuery({ where: undefined }, false)} />
      </div>
    );
  }
  const path = pathOf(projectKey, 'resource');
  const example: JsonMap = { key: 'oak-chair', name: { en: 'Oak chair', de: 'Eichenstuhl' } };
  const load = async () => {
    setBusy(true);
    try {
      const { loadSample } = await import('./sample.ts');
      await loadSample(projectKey);
      onLoaded();
    } catch (error) {
      notifyError(error);
    } finally {
      setBusy(false);
    }
  };
  const command = curlOf({ method: 'POST', path, json: example }, serviceAddress());
  return (
    <div class="empty">
      <h1>{texts.resources.emptyProject}</h1>
      {mayWrite.value && (
        <>
          <p>Create one here, load the sample catalogue, or send one:</p>
          <pre class="code">{command}</pre>
          <div class="actions">
            <CopyButton text={() => command} />
            <Button label="Import a file" onClick={onImport} />
            <Button
              label={isBusy ? 'Loading resources and pictures…' : texts.resources.sample}
              kind="main"
              isDisabled={isBusy}
              onClick={load}
            />
          </div>
        </>
      )}
    </div>
  );
}
