const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", apos: "'" };

const plain = (html: string): string =>
  html.replaceAll(/&(amp|lt|gt|quot|apos|#39);/g, (_, name: string) => entities[name] ?? '');

/**
 * A highlight of the API as text with marks. The page takes no HTML, so the marks are made anew: nothing in a document can
 * be more than text.
 */
export function Marked({ html }: { readonly html: string }) {
  const pieces = html.split(/<mark>(.*?)<\/mark>/s);
  // The odd ones were between marks.
  return <>{pieces.map((piece, at) => (at % 2 === 1 ? <mark key={`${at}`}>{plain(piece)}</mark> : plain(piece)))}</>;
}
