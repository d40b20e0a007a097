import { useState } from 'preact/hooks';
import { texts } from '../app/texts.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { fileNameOf, type Image, smallOf, stateOf, type Variant } from './variant.ts';

interface VariantCardProps {
  readonly variant: Variant;
  readonly mayWrite: boolean;
  readonly onPublish: () => void;
  readonly onRevert: () => void;
}

/** A variant: its pictures in their order, and what is staged of it. */
export function VariantCard({ variant, mayWrite, onPublish, onRevert }: VariantCardProps) {
  const [open, setOpen] = useState<Image>();
  const { sku, variant: number, version, hasStagedChanges, imageDetails } = variant;
  const name = sku ?? texts.images.variant(String(number));
  const hasFailed = imageDetails.some((image) => stateOf(image) === 'failed');
  return (
    <li>
      <div class="bar">
        <strong dir="auto">{name}</strong>
        {sku !== undefined && <span class="hint">{texts.images.variant(String(number))}</span>}
        <span class="badge">{texts.resource.version(String(version))}</span>
        <span class="hint">{texts.images.count(imageDetails.length)}</span>
        {hasStagedChanges === true && <span class="badge warn">{texts.images.stagedOnly}</span>}
        <span class="space" />
        {hasStagedChanges === true && mayWrite && (
          <>
            <button type="button" class="main" onClick={onPublish}>
              {texts.images.publish}
            </button>
            <button type="button" onClick={onRevert}>
              {texts.images.revert}
            </button>
          </>
        )}
      </div>
      {imageDetails.length === 0 && <p class="hint">{texts.images.noImages}</p>}
      {hasFailed && <p class="problem">{texts.images.failed}</p>}
      <ol class="thumbs">
        {imageDetails.map((image, at) => (
          <li key={image.url}>
            <Thumb image={image} alt={`${name} ${at + 1}`} onOpen={() => setOpen(image)} />
          </li>
        ))}
      </ol>
      {open && <Details image={open} onClose={() => setOpen(undefined)} />}
    </li>
  );
}

function Thumb({ image, alt, onOpen }: { readonly image: Image; readonly alt: string; readonly onOpen: () => void }) {
  const small = smallOf(image);
  const state = stateOf(image);
  return (
    <button type="button" class="thumb plain" onClick={onOpen} aria-label={texts.images.detailsOf(alt)}>
      <img src={small?.status === 'ready' ? small.url : image.url} alt={alt} loading="lazy" />
      {state !== 'ready' && <span class="badge">{texts.images.statuses[state]}</span>}
    </button>
  );
}

/** An image and what was made of it. */
function Details({ image, onClose }: { readonly image: Image; readonly onClose: () => void }) {
  const { url, dimensions, mimeType, sizeBytes, renditions } = image;
  const large = renditions.large;
  return (
    <Dialog label={texts.images.details} isWide onClose={onClose}>
      <h1>{fileNameOf(image)}</h1>
      <div class="image-details">
        <a href={url} target="_blank" rel="noreferrer" aria-label={texts.images.open}>
          <img src={large?.status === 'ready' ? large.url : url} alt={fileNameOf(image)} />
        </a>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">{texts.images.rendition}</th>
                <th scope="col">{texts.images.size}</th>
                <th scope="col">{texts.images.status}</th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">
                  <a href={url} target="_blank" rel="noreferrer">
                    {texts.images.original}
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
                          ? texts.images.asOriginal
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
        <CopyButton text={() => url} label={texts.images.copyAddress} />
        <button type="button" class="main" onClick={onClose}>
          {texts.close}
        </button>
      </div>
    </Dialog>
  );
}
