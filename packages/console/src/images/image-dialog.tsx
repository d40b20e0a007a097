import { useState } from 'preact/hooks';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { fileNameOf, type Image, type ImageAction, maxLabelChars, reasonOf } from './variant.ts';

interface ImageDialogProps {
  readonly image: Image;
  /** Undefined: it can only be looked at. Resolves to whether it was done. */
  readonly onAct: ((action: ImageAction, done: string) => Promise<boolean>) | undefined;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

/** An image, what it shows in words, and what was made of it. */
export function ImageDialog({ image, onAct, onRemove, onClose }: ImageDialogProps) {
  const { url, dimensions, mimeType, sizeBytes, renditions } = image;
  const [label, setLabel] = useState(image.label ?? '');
  const large = renditions.large;
  const reason = reasonOf(image);
  return (
    <Dialog label="Details" isWide onClose={onClose}>
      <h1>{fileNameOf(image)}</h1>
      {onAct ? (
        <form
          class="line image-label"
          onSubmit={async (event) => {
            event.preventDefault();
            const text = label.trim();
            const action = { action: 'setImageLabel', imageUrl: url, ...(text !== '' && { label: text }) } as const;
            if (await onAct(action, 'Saved')) onClose();
          }}
        >
          <label class="grow">
            What it shows
            <input
              value={label}
              maxLength={maxLabelChars}
              dir="auto"
              onInput={(event) => setLabel(event.currentTarget.value)}
            />
            <span class="hint">For those who do not see the picture, and for search engines.</span>
          </label>
          <Button isSubmit label="Save" isDisabled={label.trim() === (image.label ?? '')} />
        </form>
      ) : (
        image.label !== undefined && <p dir="auto">{image.label}</p>
      )}
      {reason !== undefined && <p class="problem">{texts.images.failedBecause(reason)}</p>}
      <div class="image-details">
        <a href={url} target="_blank" rel="noreferrer" aria-label="Open in full size">
          <img src={large?.status === 'ready' ? large.url : url} alt={image.label || fileNameOf(image)} />
        </a>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Rendition</th>
                <th scope="col">Size</th>
                <th scope="col">State</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">
                  <a href={url} target="_blank" rel="noreferrer">
                    Original
                  </a>
                </th>
                <td>{texts.images.pixels(dimensions.w, dimensions.h)}</td>
                <td>{`${mimeType}, ${texts.images.bytes(sizeBytes)}`}</td>
              </tr>
              {Object.entries(renditions).map(
                ([name, rendition]) =>
                  rendition && (
                    <tr key={name}>
                      <th scope="row">
                        {rendition.status === 'ready' ? (
                          <a href={rendition.url} target="_blank" rel="noreferrer">
                            {name}
                          </a>
                        ) : (
                          name
                        )}
                      </th>
                      <td>{texts.images.pixels(rendition.dimensions.w, rendition.dimensions.h)}</td>
                      <td>
                        {rendition.url === url
                          ? 'the original'
                          : (texts.images.statuses[rendition.status] ?? rendition.status)}
                      </td>
                    </tr>
                  ),
              )}
            </tbody>
          </table>
        </div>
      </div>
      <div class="actions">
        {onAct && <Button label={texts.images.remove} kind="danger" onClick={onRemove} />}
        <CopyButton text={() => url} label="Copy the address" />
        <Button label={texts.close} kind="main" onClick={onClose} />
      </div>
    </Dialog>
  );
}
