import { useState } from 'preact/hooks';

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;

/** Makes an element take dropped files. Returns whether some are above it, and the handlers of the element. */
export function useFileDrop(isAllowed: boolean, onFiles: (files: readonly [File, ...File[]]) => void) {
  const [isOver, setOver] = useState(false);
  return {
    isOver,
    handlers: {
      onDragOver(event: DragEvent): void {
        if (!isAllowed || !hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop(event: DragEvent): void {
        setOver(false);
        const [first, ...others] = event.dataTransfer?.files ?? [];
        if (!isAllowed || !first) return;
        event.preventDefault();
        onFiles([first, ...others]);
      },
    },
  };
}
