import { useEffect, useMemo, useState } from 'preact/hooks';
import { useUnsaved } from '../app/router.ts';
import { texts } from '../app/texts.ts';
import { useFileDrop } from '../browser/file-drop.ts';
import { Button } from '../components/button.tsx';
import { CopyAs } from '../components/copy-as.tsx';
import { Check, TextInput } from '../components/inputs/fields.tsx';
import { createQueue, type Upload as Entry, type Queue } from './queue.ts';
import { type Target, uploadCall } from './send.ts';

const types = 'image/jpeg,image/png,image/gif';

const isUnderWay = ({ state }: Entry) => state === 'sending' || state === 'waiting';

/** Takes images by drag and drop, or from a file dialog, and shows how they come along. */
export function Upload({ projectKey, onStored }: { readonly projectKey: string; readonly onStored: () => void }) {
  const queue = useMemo(() => createQueue(projectKey, onStored), [projectKey]);
  const [target, setTarget] = useState<Target>({ sku: '', isStaged: true });
  const drop = useFileDrop(true, (files) => queue.add(files, target));
  const uploads = queue.uploads.value;
  useEffect(() => () => queue.close(), [queue]);
  useUnsaved(() => queue.uploads.value.some(isUnderWay), 'Uploads are in progress. Leave and cancel them?');
  const chosen = uploads.filter(({ state }) => state === 'chosen').length;

  return (
    <fieldset class={drop.isOver ? 'drop stack over' : 'drop stack'} aria-label="Upload images" {...drop.handlers}>
      <div class="line upload-line">
        <TextInput
          label="SKU of the variant"
          class="grow"
          hint="Empty: variant 1. A SKU that is new makes a new variant."
          value={target.sku}
          maxLength={256}
          onInput={(sku) => setTarget({ ...target, sku })}
        />
        <Check
          label="Staged: readers see them when the variant is published"
          isChecked={target.isStaged}
          onChange={(isStaged) => setTarget({ ...target, isStaged })}
        />
      </div>
      <label>
        Drop images here, or choose them: JPEG, PNG or GIF
        <input
          type="file"
          multiple
          accept={types}
          onChange={(event) => {
            const files = [...(event.currentTarget.files ?? [])];
            event.currentTarget.value = '';
            queue.add(files, target);
          }}
        />
      </label>
      <CopyAs call={() => uploadCall(projectKey, new File([], 'image.jpg', { type: 'image/jpeg' }), target)} />
      {uploads.length > 0 && <UploadList queue={queue} uploads={uploads} target={target} chosen={chosen} />}
    </fieldset>
  );
}

interface UploadListProps {
  readonly queue: Queue;
  readonly uploads: readonly Entry[];
  readonly target: Target;
  /** How many wait for somebody to say go. */
  readonly chosen: number;
}

function UploadList({ queue, uploads, target, chosen }: UploadListProps) {
  const isOver = (entry: Entry) => ['done', 'failed', 'cancelled'].includes(entry.state);
  return (
    <section class="uploads" aria-label="Uploads">
      {chosen > 1 && (
        <p class="hint">
          Images of a variant keep the order in which they are sent: put them into it first, by dragging or with the
          arrows.
        </p>
      )}
      <ol>
        {uploads.map((entry, at) => (
          <UploadLine key={entry.id} queue={queue} entry={entry} before={uploads[at - 1]} after={uploads[at + 1]} />
        ))}
      </ol>
      <div class="actions">
        {uploads.some(isOver) && <Button label="Clear the list" kind="plain" onClick={queue.clear} />}
        {chosen > 0 && <Button label={texts.images.send(chosen)} kind="main" onClick={() => queue.start(target)} />}
      </div>
    </section>
  );
}

interface UploadLineProps {
  readonly queue: Queue;
  readonly entry: Entry;
  /** Neighbours; it can change places with one that is chosen as well. */
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

/** The type of our drags: other things may be dragged over the list, too. */
const dragType = 'application/x-grs-upload';

function UploadLine({ queue, entry, before, after }: UploadLineProps) {
  const { id, file, state, percent, problem } = entry;
  const isChosen = state === 'chosen';
  const moveButton = (label: string, when: string, other: Entry | undefined) => (
    <Button
      label={label}
      kind="plain"
      isDisabled={other?.state !== 'chosen'}
      spoken={`Send ${file.name} ${when}`}
      onClick={() => other && queue.move(id, other.id)}
    />
  );
  const words = {
    chosen: '',
    waiting: 'waits',
    sending: percent < 100 ? `${Math.floor(percent)} %` : 'is checked and stored',
    done: 'stored',
    failed: '',
    cancelled: texts.images.cancelled,
  };
  return (
    <li
      class={isChosen ? 'upload movable' : 'upload'}
      draggable={isChosen}
      onDragStart={(event) => event.dataTransfer?.setData(dragType, String(id))}
      onDragOver={(event) => {
        if (isChosen && event.dataTransfer?.types.includes(dragType)) event.preventDefault();
      }}
      onDrop={(event) => {
        const moved = event.dataTransfer?.getData(dragType);
        if (!isChosen || !moved) return;
        event.preventDefault();
        queue.move(Number(moved), id);
      }}
    >
      {state === 'failed' ? (
        <span class="grow wraps problem" role="alert">
          {`${file.name}: ${problem}`}
        </span>
      ) : (
        <span class="grow wraps" dir="auto">
          {file.name} <span class="hint">{texts.images.bytes(file.size)}</span>
        </span>
      )}
      {state === 'sending' && <progress max={100} value={percent} aria-label={file.name} />}
      <span class="hint">{words[state]}</span>
      {isChosen && (
        <span class="buttons">
          {moveButton('↑', 'earlier', before)}
          {moveButton('↓', 'later', after)}
        </span>
      )}
      {(isChosen || state === 'waiting' || state === 'sending') && (
        <Button label="Cancel" spoken={`Cancel ${file.name}`} onClick={() => queue.cancel(id)} />
      )}
      {(state === 'cancelled' || (state === 'failed' && problem !== texts.images.notImage)) && (
        <Button label="Again" spoken={`Send ${file.name} again`} onClick={() => queue.again(id)} />
      )}
    </li>
  );
}
