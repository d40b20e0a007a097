import type { ComponentChildren } from 'preact';
import type { Call } from '../../api/client.ts';
import { texts } from '../../app/texts.ts';
import { Button } from '../button.tsx';
import { CopyAs } from '../copy-as.tsx';
import { Problem } from '../problem.tsx';
import { Dialog } from './dialog.tsx';

interface FormDialogProps {
  readonly label: string;
  readonly heading?: string;
  readonly isWide?: boolean;
  readonly problem?: string;
  /** The text of the button that submits. */
  readonly submit: string;
  readonly isBlocked?: boolean;
  /** The text of the button that closes. */
  readonly close?: string;
  /** The call that submitting sends, to copy; absent where it cannot be said. */
  readonly call?: (() => Call) | undefined;
  readonly onSubmit: () => unknown;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog with a form: what is asked for, what was refused, and the buttons. */
export function FormDialog(props: FormDialogProps) {
  const { label, heading = label, isWide = false, problem = '', call, onClose } = props;
  return (
    <Dialog label={label} onClose={onClose} isWide={isWide}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          props.onSubmit();
        }}
      >
        <h1 dir="auto">{heading}</h1>
        {props.children}
        <Problem text={problem} />
        <div class="actions">
          {call && <CopyAs call={call} />}
          {call && <span class="space" />}
          <Button label={props.close ?? texts.cancel} onClick={onClose} />
          <Button isSubmit label={props.submit} kind="main" isDisabled={props.isBlocked} />
        </div>
      </form>
    </Dialog>
  );
}
