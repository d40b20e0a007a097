import type { Image, ImageRendition } from 'generic-resource-service-client/api-types';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Form } from '../components/form.tsx';
import { TextInput } from '../components/inputs/fields.tsx';
import { ListTable } from '../table/list-table.tsx';
import { fileNameOf, type ImageAction, maxLabelChars } from './variant.ts';

interface ImageDialogProps {
  readonly image: Image;
  /** Undefined: it can only be looked at. Resolves to whether it was done. */
  readonly onAct: ((action: ImageAction, done: string) => Promise<boolean>) | undefined;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

interface FileLinkProps {
  readonly href: string;
  readonly label?: string;
  readonly children: ComponentChildren;
}

function FileLink({ href, label, children }: FileLinkProps) {
  return (
    <a href={href} target="_blank" rel="noreferrer" aria-label={label}>
      {children}
    </a>
  );
}

function lineOf(name: string, { url, dimensions }: ImageRendition, original: string) {
  return { name, href: url, ...dimensions, what: url === original ? 'the original' : '' };
}

/** An image, what it shows in words, and what was made of it. */
export function ImageDialog({ image, onAct, onRemove, onClose }: ImageDialogProps) {
  const { url, dimensions, mimeType, sizeBytes, renditions } = image;
  const [label, setLabel] = useState(image.label ?? '');
  const large = renditions.large;
  const made = [
    { name: 'Original', href: url, ...dimensions, what: `${mimeType}, ${texts.images.bytes(sizeBytes)}` },
    ...Object.entries(renditions).flatMap(([name, rendition]) => (rendition ? [lineOf(name, rendition, url)] : [])),
  ];
  return (
    <Dialog label="Details" isWide onClose={onClose}>
      <h1>{fileNameOf(image)}</h1>
      {onAct ? (
        <Form
          class="line image-label"
          onSubmit={async () => {
            const text = label.trim();
            const action = { action: 'setImageLabel', imageUrl: url, ...(text !== '' && { label: text }) } as const;
            if (await onAct(action, 'Saved')) onClose();
          }}
        >
          <TextInput
            label="What it shows"
            class="grow"
            hint="For those who do not see the picture, and for search engines."
            value={label}
            maxLength={maxLabelChars}
            spellcheck
            onInput={setLabel}
          />
          <Button isSubmit label="Save" isDisabled={label.trim() === (image.label ?? '')} />
        </Form>
      ) : (
        image.label !== undefined && <p dir="auto">{image.label}</p>
      )}
      <div class="image-details halves">
        <FileLink href={url} label="Open in full size">
          <img src={large?.url ?? url} alt={image.label || fileNameOf(image)} />
        </FileLink>
        <ListTable
          label="Renditions"
          rows={made}
          keyOf={({ name }) => name}
          columns={[
            {
              name: 'Rendition',
              kind: 'head',
              cell: ({ name, href }) => <FileLink href={href}>{name}</FileLink>,
            },
            { name: 'Size', cell: ({ w, h }) => `${w} × ${h}` },
            { name: 'File', cell: ({ what }) => what },
          ]}
        />
      </div>
      <div class="actions">
        {onAct && <Button label={texts.images.remove} kind="danger" onClick={onRemove} />}
        <CopyButton text={() => url} label="Copy the address" />
        <Button label={texts.close} kind="main" onClick={onClose} />
      </div>
    </Dialog>
  );
}
