import { integerOf } from '../../contract/check.ts';
import type { JsonObject } from '../../contract/json.ts';
import { type ActionDefinition, type ActionTools, defineAction, type Working } from '../resource/actions/define.ts';
import { imageDetailsOf, withDetails } from './variant.ts';

/** Most characters of a label, so that the document of a variant stays small. */
export const maxLabelChars = 500;

const fields = {
  imageUrl: {
    type: 'string',
    description: 'The `url` of the image as responses have it, or its path.',
    example: '/my-project/images/front-0197f3c26d107a539c412f6b8e0d9a11.jpg',
  },
} as const;

/** As uploads, and unlike actions on fields: pictures reach readers by `publish`, unless they are asked to sooner. */
const stagedField = {
  staged: {
    type: 'boolean',
    optional: true,
    description: 'Change the staged images only; `false`: both projections. Without it as with `true`, as an upload.',
    example: true,
  },
} as const;

interface Asked {
  readonly imageUrl: string;
  readonly staged: boolean | undefined;
}

/** Returns the images after a change to the one at that index. */
type Change = (images: readonly JsonObject[], at: number) => readonly JsonObject[];

/** Changes an image where it is: in the staged projection, or in both, of which one may be without it. */
function changeImage(working: Working, { imageUrl, staged }: Asked, tools: ActionTools, change: Change): Working {
  const { key, current } = working;
  const changed = (own: JsonObject): JsonObject | undefined => {
    const images = imageDetailsOf(own);
    const at = indexOf(images, imageUrl);
    return at < 0 ? undefined : withDetails(own, change(images, at));
  };
  const nextStaged = changed(working.staged ?? current);
  if (staged !== false) return { key, current, staged: nextStaged ?? refuseUnknown(imageUrl, 'staged images', tools) };
  const nextCurrent = changed(current);
  if (!nextCurrent && !nextStaged) refuseUnknown(imageUrl, 'images', tools);
  return { key, current: nextCurrent ?? current, staged: working.staged && (nextStaged ?? working.staged) };
}

/** An image has one name for good, so an address may have any origin in front of its path. */
function indexOf(images: readonly JsonObject[], imageUrl: string): number {
  return images.findIndex(({ url }) => typeof url === 'string' && url !== '' && imageUrl.endsWith(url));
}

function refuseUnknown(imageUrl: string, where: string, tools: ActionTools): never {
  const shown = imageUrl.length > 256 ? `${imageUrl.slice(0, 255)}…` : imageUrl;
  return tools.refuse(`imageUrl: expected the url of one of the ${where} of the variant, not '${shown}'`);
}

const moveImageToPosition = defineAction({
  name: 'moveImageToPosition',
  summary: 'Moves an image of a variant to another position among its images.',
  appliesTo: 'variant',
  changes: 'resource',
  fields: {
    ...fields,
    position: {
      type: 'integer',
      description: 'From 0 on. Of two projections, in one that has fewer images it becomes the last.',
      example: 0,
    },
    ...stagedField,
  },
  apply(working, values, tools) {
    const position = integerOf(values.position);
    const own = [working.staged ?? working.current, ...(values.staged === false ? [working.current] : [])];
    let last = -1;
    const next = changeImage(working, values, tools, (images, at) => {
      last = Math.max(last, images.length - 1);
      const others = images.toSpliced(at, 1);
      return others.toSpliced(position < 0n ? 0 : Number(position), 0, images[at]!);
    });
    if (position < 0n || position > BigInt(last)) {
      const count = Math.max(...own.map((one) => imageDetailsOf(one).length));
      tools.refuse(`position: expected 0 to ${last}, not ${position}: the variant has ${count} images`);
    }
    return next;
  },
});

const removeImage = defineAction({
  name: 'removeImage',
  summary: 'Removes an image from a variant. Its files are deleted once neither projection has it.',
  appliesTo: 'variant',
  changes: 'resource',
  fields: { ...fields, ...stagedField },
  apply: (working, values, tools) => changeImage(working, values, tools, (images, at) => images.toSpliced(at, 1)),
});

const setImageLabel = defineAction({
  name: 'setImageLabel',
  summary: 'Sets what an image of a variant shows in words, for its alternative text, or removes that.',
  appliesTo: 'variant',
  changes: 'resource',
  fields: {
    ...fields,
    label: {
      type: 'string',
      optional: true,
      description: `At most ${maxLabelChars} characters; without it the label is removed.`,
      example: 'A blue shoe from the front',
    },
    ...stagedField,
  },
  apply(working, values, tools) {
    const { label } = values;
    if (label !== undefined && label.length > maxLabelChars) {
      tools.refuse(`label: expected at most ${maxLabelChars} characters, not ${label.length}`);
    }
    return changeImage(working, values, tools, (images, at) => {
      const { url, label: _, ...others } = images[at]! as { readonly url: string } & JsonObject;
      return images.with(at, { url, ...(label !== undefined && { label }), ...others });
    });
  },
});

/** The update actions that only variants of images have. */
export const imageActions: readonly ActionDefinition[] = [moveImageToPosition, removeImage, setImageLabel];
