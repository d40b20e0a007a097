import { ServiceError } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import { type Decision, decideCreate, decideUpdate, type WriteContext } from '../resource/write/decision.ts';
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

/** Throws if the variant cannot take another image. */
export function checkVariant({ target }: ChosenVariant, conditions: Preconditions): void {
  checkPreconditions(conditions, target);
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
  const { target, number, sku } = chosen;
  if (target === undefined) {
    const empty = newVariantFields(number);
    const edit = { key: sku, current: staged ? empty : add(empty), staged: staged ? add(empty) : undefined };
    return decideCreate(variantProjectOf(projectKey), variantIdOf(number), edit, context);
  }
  const before = target.resource;
  const edit = staged
    ? { key: sku, current: before.current, staged: add(before.staged ?? before.current) }
    : { key: sku, current: add(before.current), staged: before.staged && add(before.staged) };
  return decideUpdate(target, edit, context);
}
