import type { ComponentChildren } from 'preact';

interface FormProps {
  readonly class?: string;
  readonly onSubmit: (form: HTMLFormElement) => unknown;
  readonly children: ComponentChildren;
}

/** A form that the page handles itself. */
export function Form({ class: name, onSubmit, children }: FormProps) {
  return (
    <form
      class={name}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event.currentTarget);
      }}
    >
      {children}
    </form>
  );
}
