import { elementText, S3Error } from './errors.ts';

/**
 * Reads a response of ListObjectsV2. Our keys need no XML escapes; other keys are returned as they are.
 * Throws where it is no such response: an empty list would mean that there are no files.
 */
export function parseS3Page(xml: string) {
  const truncated = elementText(xml, 'IsTruncated');
  if (!xml.includes('<ListBucketResult') || (truncated !== 'true' && truncated !== 'false')) throw unreadable();
  const objects = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, content]) => parseObject(content!));
  const next = truncated === 'true' ? elementText(xml, 'NextContinuationToken') : undefined;
  if (truncated === 'true' && next === undefined) throw unreadable();
  /** `next`: the token of the next page; undefined after the last one. */
  return { objects, next: next && unescapeXml(next) };
}

const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

function unescapeXml(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|([a-z]+));/g, (all, decimal, hex, name) => {
    if (name !== undefined) return entities.get(name) ?? all;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

function parseObject(xml: string) {
  const key = elementText(xml, 'Key');
  const sizeBytes = Number(elementText(xml, 'Size') ?? Number.NaN);
  const storedAtMs = Date.parse(elementText(xml, 'LastModified') ?? '');
  if (key === undefined || Number.isNaN(sizeBytes) || Number.isNaN(storedAtMs)) throw unreadable();
  return { key, sizeBytes, storedAtMs };
}

function unreadable(): S3Error {
  return new S3Error('The image store sent a list that cannot be read', { isTransient: false });
}
