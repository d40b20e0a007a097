import { useState } from 'preact/hooks';
import type { Call } from '../../api/client.ts';
import { read } from '../../app/session.ts';
import { Choice, optionsOf } from '../inputs/choice.tsx';
import { FormDialog } from './form-dialog.tsx';

interface RotateSecretProps<T> {
  readonly projectKey: string;
  readonly label: string;
  readonly heading?: string;
  readonly words: {
    readonly rotate: string;
    readonly rotateHint: string;
    readonly overlap: string;
    /** By seconds. */
    readonly overlaps: Readonly<Record<string, string>>;
  };
  /** Seconds that are chosen at first. */
  readonly usual: string;
  /** The call that creates a new secret and keeps the old one valid for the overlap. */
  readonly request: (overlapSeconds: number) => Call;
  /** Called with what the API shows once. */
  readonly onRotated: (shown: T) => void;
  readonly onClose: () => void;
}

/** Asks how long the old secret stays good, and makes a new one. */
export function RotateSecret<T>(props: RotateSecretProps<T>) {
  const { projectKey, label, heading = label, words, usual, request, onRotated, onClose } = props;
  const [overlap, setOverlap] = useState(usual);
  return (
    <FormDialog
      label={label}
      heading={heading}
      submit={words.rotate}
      call={() => request(Number(overlap))}
      onSubmit={async () => onRotated(await read<T>(projectKey, request(Number(overlap))))}
      onClose={onClose}
    >
      <p>{words.rotateHint}</p>
      <Choice label={words.overlap} value={overlap} options={optionsOf(words.overlaps)} onChoose={setOverlap} />
    </FormDialog>
  );
}
