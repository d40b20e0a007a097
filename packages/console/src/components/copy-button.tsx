import { useState } from 'preact/hooks';
import { notifyError } from '../app/notices.tsx';
import { Button } from './button.tsx';

/** Copies a text, and says so for a moment. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: () => string; readonly label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setCopied(true);
      setTimeout(() => setCopied(false), 1500);
    } catch (error) {
      notifyError(error);
    }
  };
  return <Button label={isCopied ? 'Copied' : label} onClick={copy} />;
}
