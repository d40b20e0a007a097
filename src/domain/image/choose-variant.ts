import { ServiceError } from '../../contract/errors.ts';
import type { ResourceRecord, ResourceStore } from '../ports/resource-store.ts';
import { parseRecord, type StoredResource } from '../resource/resource.ts';
import { maxVariantNumber, variantIdOf, variantProjectOf } from './variant.ts';

/** How an upload names its variant. */
export interface WantedVariant {
  readonly sku: string | undefined;
  readonly number: number | undefined;
}

/** The variant that an upload is for. */
export interface ChosenVariant {
  /** Undefined if the upload creates it. */
  readonly target: StoredResource | undefined;
  readonly number: number;
  /** The sku that it has afterwards. */
  readonly sku: string | undefined;
}

/**
 * Finds the variant of an upload, or a free number for it (decision 60). Throws 400 if sku and number contradict. If
 * another upload takes the free number meanwhile, the commit fails and the variant is chosen again.
 */
export async function chooseVariant(
  store: ResourceStore,
  projectKey: string,
  wanted: WantedVariant,
): Promise<ChosenVariant> {
  const project = variantProjectOf(projectKey);
  const { sku, number } = wanted;
  const bySku = sku === undefined ? undefined : await store.getByKey(project, sku);
  if (bySku !== undefined) return agreeing(bySku, sku, number);
  if (number === undefined && sku !== undefined) {
    return { target: undefined, number: await freeNumber(store, project), sku };
  }
  const named = number ?? 1;
  const byNumber = await store.get(project, variantIdOf(named));
  // An upload that names the same two may have added the sku since it was looked up.
  if (byNumber?.key !== undefined && sku !== undefined && byNumber.key !== sku) {
    throw contradiction(`variant ${named} has the sku '${byNumber.key}', not '${sku}'`);
  }
  return { target: byNumber && parseRecord(byNumber), number: named, sku: sku ?? byNumber?.key };
}

function agreeing(record: ResourceRecord, sku: string | undefined, number: number | undefined): ChosenVariant {
  const target = parseRecord(record);
  const own = Number(target.resource.current.variant);
  if (number !== undefined && number !== own) throw contradiction(`the sku '${sku}' is that of variant ${own}`);
  return { target, number: own, sku };
}

function contradiction(problem: string): ServiceError {
  return new ServiceError('InvalidInput', `sku and variant name different variants: ${problem}.`);
}

type IsTaken = (number: number) => Promise<boolean>;

/** A free number whose predecessor is taken; two requests that find the same one meet in the commit. */
async function freeNumber(store: ResourceStore, project: string): Promise<number> {
  const isTaken: IsTaken = async (number) => (await store.get(project, variantIdOf(number))) !== undefined;
  // Doubling 1 finds one, unless clients chose exactly these numbers: then 3, 5 and so on, whose predecessors are taken.
  for (let odd = 1; odd <= maxVariantNumber; odd += 2) {
    let [taken, free] = [odd - 1, odd];
    while (free <= maxVariantNumber && (await isTaken(free))) [taken, free] = [free, 2 * free];
    if (free <= maxVariantNumber) return freeBetween(isTaken, taken, free);
  }
  throw new ServiceError('InvalidOperation', 'No variant number is free.');
}

async function freeBetween(isTaken: IsTaken, taken: number, free: number): Promise<number> {
  if (free - taken === 1) return free;
  const middle = Math.floor((taken + free) / 2);
  return (await isTaken(middle)) ? freeBetween(isTaken, middle, free) : freeBetween(isTaken, taken, middle);
}
