/** Saves bytes as a file of the person’s own computer. */
export function download(parts: readonly BlobPart[], fileName: string, type: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
  // The download has begun by then; the browser holds what it needs of it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
