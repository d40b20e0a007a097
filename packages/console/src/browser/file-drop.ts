import { useState } from 'preact/hooks';

/** Makes an element take a dropped file. Returns whether one is above it, and the handlers of the element. */
export function useFileDrop(isAllowed: boolean, onFile: (file: File) => void) {
  const [isOver, setOver] = useState(false);
  return {
    isOver,
    handlers: {
      onDragOver(event: DragEvent): void {
        if (!isAllowed || !event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      },
      onDragLeave: () => setOver(false),
      onDrop(event: DragEvent): void {
        setOver(false);
        const [file] = event.dataTransfer?.files ?? [];
        if (!isAllowed || !file) return;
        event.preventDefault();
        onFile(file);
      },
    },
  };
}
