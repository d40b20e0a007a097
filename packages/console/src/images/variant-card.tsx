import type { Image, Variant } from 'generic-resource-service-client/api-types';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { place, setQuery } from '../app/router.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { Confirm } from '../components/dialogs/confirm.tsx';
import { ImageDialog } from './image-dialog.tsx';
import { fileNameOf, type ImageAction, smallOf } from './variant.ts';

interface VariantCardProps {
  readonly variant: Variant;
  readonly mayWrite: boolean;
  /** Changes are those of what is staged; else what readers see changes at once. */
  readonly isStaged: boolean;
  /** Resolves to whether it was done, when the variant has been read again. */
  readonly onAct: (action: ImageAction, done: string) => Promise<boolean>;
  readonly onPublish: () => void;
  readonly onRevert: () => void;
}

/** The type of our drags: other things may be dragged over the list, too. */
const dragType = 'application/x-grs-image';

/** A product variant with its pictures. */
export function VariantCard({ variant, mayWrite, isStaged, onAct, onPublish, onRevert }: VariantCardProps) {
  const [leaving, setLeaving] = useState<Image>();
  const { sku, variant: number, version, hasStagedChanges, imageDetails } = variant;
  const name = sku ?? texts.images.variant(String(number));
  // In the address, so that one can be sent to a colleague.
  const opened = imageDetails.find(({ url }) => url === place.value.query.get('image'));
  const open = (url: string | undefined) => setQuery({ image: url });
  return (
    <li class="card">
      <div class="bar">
        <strong dir="auto">{name}</strong>
        {sku !== undefined && <span class="hint">{texts.images.variant(String(number))}</span>}
        <span class="badge">{texts.resource.version(String(version))}</span>
        <span class="hint">{texts.images.count(imageDetails.length)}</span>
        {hasStagedChanges === true && <span class="badge warn">staged</span>}
        <span class="space" />
        {hasStagedChanges === true && mayWrite && (
          <>
            <Button label="Publish" kind="main" onClick={onPublish} />
            <Button label={texts.images.revert} onClick={onRevert} />
          </>
        )}
      </div>
      {imageDetails.length === 0 && (
        <p class="hint">
          {isStaged ? 'The staged variant has no images.' : 'Readers see no image of this variant yet.'}
        </p>
      )}
      <Thumbs name={name} variant={variant} mayWrite={mayWrite} onAct={onAct} onOpen={open} />
      {opened && (
        <ImageDialog
          image={opened}
          onAct={mayWrite ? onAct : undefined}
          onRemove={() => {
            open(undefined);
            setLeaving(opened);
          }}
          onClose={() => open(undefined)}
        />
      )}
      {leaving && (
        <Confirm
          question={`Remove ${fileNameOf(leaving)} from the variant?`}
          hint={
            isStaged
              ? 'Readers see it until the variant is published; until then, discarding what is staged brings it back. One that was never published is gone for good.'
              : 'Readers no longer see it. You cannot undo this.'
          }
          action={texts.images.remove}
          onClose={() => setLeaving(undefined)}
          onConfirm={() => void onAct({ action: 'removeImage', imageUrl: leaving.url }, 'Removed')}
        />
      )}
    </li>
  );
}

interface ThumbsProps extends Pick<VariantCardProps, 'variant' | 'mayWrite' | 'onAct'> {
  readonly name: string;
  readonly onOpen: (url: string) => void;
}

/** The pictures in their order, which dragging or the buttons change. */
function Thumbs({ name, variant, mayWrite, onAct, onOpen }: ThumbsProps) {
  const { version, imageDetails } = variant;
  const list = useRef<HTMLOListElement>(null);
  /** The button that was pressed, which has moved with its image. */
  const pressed = useRef<{ readonly url: string; readonly by: string } | undefined>(undefined);

  // Before anybody can press again: what was pressed then would be forgotten here.
  useLayoutEffect(() => {
    if (!pressed.current) return;
    const { url, by } = pressed.current;
    pressed.current = undefined;
    const item = list.current?.children[imageDetails.findIndex((image) => image.url === url)];
    const buttons = [...(item?.querySelectorAll<HTMLButtonElement>('.move-image button:enabled') ?? [])];
    // At an end only the other one is left.
    (buttons.find((button) => button.dataset.by === by) ?? buttons[0])?.focus();
  }, [version]);

  function move(url: string, position: number, by?: string): void {
    const done = `Moved to place ${position + 1} of ${imageDetails.length}`;
    if (by !== undefined) pressed.current = { url, by };
    void onAct({ action: 'moveImageToPosition', imageUrl: url, position }, done);
  }

  function drop(event: DragEvent, url: string, at: number): void {
    const moved = event.dataTransfer?.getData(dragType);
    if (!mayWrite || !moved) return;
    event.preventDefault();
    // Images of another variant stay there.
    if (moved !== url && imageDetails.some((one) => one.url === moved)) move(moved, at);
  }

  return (
    <ol class="thumbs" ref={list}>
      {imageDetails.map((image, at) => {
        const { url } = image;
        const shown = `${name} ${at + 1}`;
        const button = (by: 'earlier' | 'later', to: number, sign: string) => (
          <button
            type="button"
            class="plain"
            data-by={by}
            disabled={to < 0 || to >= imageDetails.length}
            aria-label={texts.images.move[by](shown)}
            onClick={() => move(url, to, by)}
          >
            {sign}
          </button>
        );
        return (
          <li
            key={url}
            class={mayWrite ? 'movable' : undefined}
            draggable={mayWrite}
            onDragStart={(event) => event.dataTransfer?.setData(dragType, url)}
            onDragOver={(event) => {
              if (mayWrite && event.dataTransfer?.types.includes(dragType)) event.preventDefault();
            }}
            onDrop={(event) => drop(event, url, at)}
          >
            <Thumb image={image} alt={image.label || shown} name={shown} onOpen={() => onOpen(url)} />
            {mayWrite && imageDetails.length > 1 && (
              <span class="buttons move-image">
                {button('earlier', at - 1, '←')}
                {button('later', at + 1, '→')}
              </span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

interface ThumbProps {
  readonly image: Image;
  readonly alt: string;
  /** Its variant and place, as the button says. */
  readonly name: string;
  readonly onOpen: () => void;
}

function Thumb({ image, alt, name, onOpen }: ThumbProps) {
  const small = smallOf(image);
  return (
    <button type="button" class="thumb plain" onClick={onOpen} aria-label={`Details of ${name}`}>
      <img src={small?.url ?? image.url} alt={alt} loading="lazy" draggable={false} />
    </button>
  );
}
