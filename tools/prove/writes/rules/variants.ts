import { variantOf } from '../clients/uploader.ts';
import { type Attempt, answerOf, isAcknowledged, type Recorded, type WriteAttempt } from '../record.ts';

/** A version of a variant that a request made or was shown. */
interface Sight extends Attempt {
  readonly title: string;
  readonly version: number;
  readonly made: boolean;
}

const isOfVariant = ({ write }: WriteAttempt) => write.kind === 'upload' || write.kind === 'variant';

/**
 * Each upload and each update of a variant that was acknowledged makes a version of its own, in an order that fits the
 * times of requests and responses; an uploaded image stays until somebody removes it.
 */
export function findVariants({ writes, reads }: Recorded): readonly string[] {
  const violations: string[] = [];
  const variants = new Map<string, Sight[]>();
  const unknown = writes.filter((attempt) => isOfVariant(attempt) && attempt.answer === 'unknown').length;
  const note = (id: string, sight: Sight) =>
    variants.getOrInsertComputed(`${sight.project}/${id}`, () => []).push(sight);
  for (const [name, attempts] of Map.groupBy(writes.filter(isOfVariant), (attempt) => attempt.name)) {
    const first = attempts.filter(isAcknowledged).toSorted((a, b) => a.end - b.end)[0];
    const variant = first && variantOf(first);
    if (!variant) continue;
    // The first attempt may have been the one that was carried out.
    const start = Math.min(...attempts.map((attempt) => attempt.start));
    note(variant.id, { ...first, start, title: name, version: variant.version, made: true });
  }
  for (const read of reads) {
    if (read.read.kind !== 'variant' || !isAcknowledged(read)) continue;
    const [variant] = JSON.parse(answerOf(read)!.text).results;
    const images = (variant?.images ?? []) as readonly string[];
    if (variant) note(variant.id, { ...read, title: 'a list', version: variant.version, made: false });
    violations.push(...findLost(read, read.read.sku, images, writes));
  }
  for (const [address, sights] of variants) violations.push(...findDisorder(address, sights, unknown));
  return violations;
}

function findDisorder(address: string, sights: readonly Sight[], unknown: number): readonly string[] {
  const violations: string[] = [];
  const made = new Map<number, Sight>();
  for (const sight of sights.filter((each) => each.made)) {
    const other = made.get(sight.version);
    if (other)
      violations.push(`overwritten: ${address}: ${other.title} and ${sight.title} made version ${sight.version}`);
    made.set(sight.version, sight);
  }
  const last = Math.max(0, ...made.keys());
  if (last - made.size > unknown) violations.push(`gap: ${address} has ${last} versions of ${made.size} known writes`);
  const byEnd = sights.toSorted((a, b) => a.end - b.end);
  for (const sight of sights) {
    const before = byEnd.filter(({ end }) => end < sight.start);
    const least = Math.max(0, ...before.map(({ version }) => version));
    if (sight.version < least || (sight.made && sight.version === least)) {
      violations.push(`stale: ${address}: ${sight.title} has version ${sight.version} after ${least} was there`);
    }
  }
  return violations;
}

/** Uploads that had been acknowledged before a list began, and that it does not have. */
function findLost(
  { project, start, end }: Attempt,
  sku: string,
  images: readonly string[],
  writes: readonly WriteAttempt[],
): readonly string[] {
  const removed = writes.flatMap((other) => {
    if (other.write.kind !== 'variant' || other.start > end) return [];
    return other.write.actions.filter(({ action }) => action === 'removeImage').map(({ imageUrl }) => imageUrl);
  });
  return writes.flatMap((upload) => {
    const { write, name } = upload;
    if (write.kind !== 'upload' || write.sku !== sku || upload.project !== project || upload.end >= start) return [];
    const url = variantOf(upload)?.images.find((image) => image.includes(`/${name}-`));
    if (url === undefined || images.includes(url) || removed.includes(url)) return [];
    return [`lost: the image ${url} was acknowledged, and is not listed`];
  });
}
