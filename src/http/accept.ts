/** The weight that an Accept header gives to a media type (RFC 9110 §12.5.1): the most specific range counts. */
export function acceptWeight(accept: string | undefined, mediaType: string): number {
  if (accept === undefined || accept.trim() === '') return 1;
  const [type] = mediaType.split('/', 1);
  let weight = 0;
  let best = -1;
  for (const range of accept.split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const precision = name === mediaType ? 2 : name === `${type}/*` ? 1 : name === '*/*' ? 0 : -1;
    if (precision <= best) continue;
    best = precision;
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weight = quality === undefined ? 1 : Number(quality) || 0;
  }
  return weight;
}
