import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Call } from '../../api/client.ts';
import { errorText } from '../../app/notices.tsx';
import { texts } from '../../app/texts.ts';
import { Button } from '../button.tsx';
import { CopyAs } from '../copy-as.tsx';
import { Form } from '../form.tsx';
import { Problem } from '../problem.tsx';
import { Dialog } from './dialog.tsx';

interface FormDialogProps {
  readonly label: string;
  readonly heading?: string;
  readonly isWide?: boolean;
  /** The text of the button that submits; undefined where nothing can be submitted. */
  readonly submit: string | undefined;
  readonly isBlocked?: boolean;
  /** The text of the button that closes. */
  readonly close?: string;
  /** The call that submitting sends, to copy. */
  readonly call?: (() => Call) | undefined;
  /** Problems point at a place in a text. */
  readonly isCode?: boolean;
  /** The subject of the form; a change of subject clears the problem. */
  readonly subject?: string;
  /** Submitting waits for it, and shows what it throws. */
  readonly onSubmit: () => unknown;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A dialog with a form, the problem of the last submit, and the buttons. */
export function FormDialog(props: FormDialogProps) {
  const { label, heading = label, isWide = false, submit, isBlocked = false, call, isCode, subject, onClose } = props;
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  useEffect(() => setProblem(''), [subject]);
  async function onSubmit(): Promise<void> {
    setProblem('');
    setBusy(true);
    try {
      await props.onSubmit();
    } catch (error) {
      setProblem(errorText(error));
    }
    setBusy(false);
  }
  return (
    <Dialog label={label} onClose={onClose} isWide={isWide}>
      <Form onSubmit={onSubmit}>
        <h1 dir="auto">{heading}</h1>
        {props.children}
        <Problem text={problem} isCode={isCode} />
        <div class="actions">
          {call && <CopyAs call={call} />}
          {call && <span class="space" />}
          <Button label={props.close ?? texts.cancel} onClick={onClose} />
          {submit !== undefined && <Button isSubmit label={submit} kind="main" isDisabled={isBlocked || isBusy} />}
        </div>
      </Form>
    </Dialog>
  );
}
