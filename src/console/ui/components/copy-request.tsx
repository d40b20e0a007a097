import { type Call, curlOf } from '../api/client.ts';
import { typescriptOf } from '../api/typescript.ts';
import { texts } from '../app/texts.ts';
import { CopyButton } from './copy-button.tsx';

/** Buttons that copy a request of the room as others would send it. */
export function CopyRequest({ call }: { readonly call: () => Call }) {
  const typescript = () => {
    const copied = call();
    return typescriptOf(copied, decodeURIComponent(copied.path.split('/')[1] ?? ''), location.origin);
  };
  return (
    <span class="buttons copy-request">
      <CopyButton label={texts.copyCurl} text={() => curlOf(call(), location.origin)} />
      <CopyButton label={texts.copyTypescript} text={typescript} />
    </span>
  );
}
