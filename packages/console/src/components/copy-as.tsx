import { serviceAddress } from '../api/base-address.ts';
import { type Call, curlOf } from '../api/client.ts';
import { typescriptOf } from '../api/typescript.ts';
import { notify, notifyError } from '../app/notices.tsx';
import { texts } from '../app/texts.ts';
import { Menu, type MenuItem } from './menu.tsx';

/** The lines of a menu that copy a call as a command for a shell, and as a program for the client package. */
export function copyItems(call: () => Call): readonly MenuItem[] {
  const copy = (text: () => string, what: string) => () => {
    Promise.resolve()
      .then(() => navigator.clipboard.writeText(text()))
      .then(() => notify(`Copied as ${what}`), notifyError);
  };
  return [
    { label: texts.copyCurl, onChoose: copy(() => curlOf(call(), serviceAddress()), 'curl') },
    {
      label: 'Copy as TypeScript',
      onChoose: copy(() => typescriptOf(call(), serviceAddress()), 'TypeScript'),
    },
  ];
}

/** A menu that copies a call. */
export function CopyAs({ call, label = texts.copyAs }: { readonly call: () => Call; readonly label?: string }) {
  return <Menu label={label} items={copyItems(call)} />;
}
