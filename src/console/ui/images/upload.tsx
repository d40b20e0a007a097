import { useState } from 'preact/hooks';
import { pathOf } from '../api/client.ts';
import { errorText } from '../app/notices.tsx';
import { call } from '../app/session.ts';
import { texts } from '../app/texts.ts';

interface UploadProps {
  readonly projectKey: string;
  readonly onUploaded: () => void;
}

/** Takes images by drag and drop, or from a file dialog, and sends them one after another. */
export function Upload({ projectKey, onUploaded }: UploadProps) {
  const [sku, setSku] = useState('');
  const [isStaged, setStaged] = useState(true);
  const [isOver, setOver] = useState(false);
  const [waiting, setWaiting] = useState<readonly string[]>([]);
  const [problems, setProblems] = useState<readonly string[]>([]);

  async function send(files: readonly File[]): Promise<void> {
    setProblems([]);
    setWaiting(files.map(({ name }) => name));
    for (const file of files) {
      const query = new URLSearchParams({ filename: file.name, staged: String(isStaged) });
      if (sku.trim() !== '') query.set('sku', sku.trim());
      const path = pathOf(projectKey, 'resource', 'images');
      try {
        await call(projectKey, { method: 'POST', path, query, body: file, headers: { 'content-type': file.type } });
      } catch (error) {
        setProblems((before) => [...before, `${file.name}: ${errorText(error)}`]);
      }
      setWaiting((before) => before.slice(1));
    }
    onUploaded();
  }

  return (
    <fieldset
      class={isOver ? 'drop over' : 'drop'}
      aria-label={texts.images.upload}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void send([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <div class="line">
        <label>
          {texts.images.sku}
          <input value={sku} maxLength={256} onInput={(event) => setSku(event.currentTarget.value)} />
        </label>
        <label class="check">
          <input type="checkbox" checked={isStaged} onChange={(event) => setStaged(event.currentTarget.checked)} />
          {texts.images.isStaged}
        </label>
      </div>
      <label>
        {texts.images.drop}
        <input
          type="file"
          multiple
          accept="image/jpeg,image/png,image/gif"
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])];
            event.currentTarget.value = '';
            void send(files);
          }}
        />
      </label>
      <div role="status">
        {waiting.map((name) => (
          <p key={name} class="hint">
            {name}…
          </p>
        ))}
      </div>
      {problems.map((problem) => (
        <p key={problem} class="problem" role="alert">
          {problem}
        </p>
      ))}
    </fieldset>
  );
}
