import type { Call } from '../api/client.ts';
import { shellOf, typescriptOf } from '../api/snippets.ts';
import { texts } from '../app/texts.ts';
import { CopyButton } from './copy-button.tsx';

/** Buttons that copy a request of the room as others would send it. */
export function CopyRequest({ call }: { readonly call: () => Call }) {
  return (
    <span class="buttons copy-request">
      <CopyButton label={texts.copyRequest.curl} text={() => shellOf(call(), location.origin)} />
      <CopyButton label={texts.copyRequest.typescript} text={() => typescriptOf(call(), location.origin)} />
    </span>
  );
}
