import { ServiceError } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import { authorOf, type WriteContext } from '../resource/context.ts';
import { keptResource } from '../resource/resource.ts';
import { type Decision, decideUpdate } from '../resource/write/decision.ts';
import { checkPreconditions, type Preconditions } from '../resource/write/preconditions.ts';
import type { ChosenVariant } from './choose-variant.ts';
import {
  type ImageFacts,
  imageDetailsOf,
  maxImagesPerVariant,
  newVariantFields,
  variantIdOf,
  variantProjectOf,
  withImage,
} from './variant.ts';

/** Throws where the variant cannot take a further image, whatever it is. */
export function checkVariant({ target }: ChosenVariant, conditions: Preconditions): void {
  checkPreconditions(conditions, target?.resource);
  const { current, staged } = target?.resource ?? { current: {}, staged: undefined };
  if (imageDetailsOf(staged ?? current).length < maxImagesPerVariant) return;
  throw new ServiceError('InvalidOperation', `A variant has at most ${maxImagesPerVariant} images.`);
}

/** Decides that a variant gets an image: in its staged projection only, or in both (decision 25). */
export function decideAddImage(
  projectKey: string,
  chosen: ChosenVariant,
  facts: ImageFacts,
  staged: boolean,
  context: WriteContext,
): Decision {
  const add = (own: JsonObject) => withImage(own, projectKey, facts);
  const { target, sku } = chosen;
  if (target === undefined) return decideNew(projectKey, chosen, add, staged, context);
  const before = target.resource;
  const edit = staged
    ? { key: sku, current: before.current, staged: add(before.staged ?? before.current) }
    : { key: sku, current: add(before.current), staged: before.staged && add(before.staged) };
  return decideUpdate(target, edit, context);
}

/** A new resource has nothing staged otherwise; a new variant may begin with a staged image. */
function decideNew(
  projectKey: string,
  { number, sku }: ChosenVariant,
  add: (own: JsonObject) => JsonObject,
  staged: boolean,
  context: WriteContext,
): Decision {
  const empty = newVariantFields(number);
  const author = authorOf(context);
  const { record, documents } = keptResource({
    projectKey: variantProjectOf(projectKey),
    id: variantIdOf(number),
    key: sku,
    version: 1,
    ...{ createdAt: context.nowIso, lastModifiedAt: context.nowIso, createdBy: author, lastModifiedBy: author },
    current: staged ? empty : add(empty),
    staged: staged ? add(empty) : undefined,
    history: [],
  });
  return {
    outcome: { kind: 'created', record, documents },
    change: { kind: 'create', next: record, after: documents },
  };
}
