interface ButtonProps {
  readonly label: string;
  /** The label for screen readers. */
  readonly spoken?: string;
  /** `main`: what the page or dialog is for. `danger`: it deletes. `plain`: without a border. */
  readonly kind?: 'main' | 'danger' | 'plain' | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly title?: string | undefined;
  /** Submits the form around it. */
  readonly isSubmit?: boolean;
  readonly onClick?: () => unknown;
}

/** A button with a text. */
export function Button({ label, spoken, kind, isDisabled, title, isSubmit = false, onClick }: ButtonProps) {
  return (
    <button
      type={isSubmit ? 'submit' : 'button'}
      class={kind}
      aria-label={spoken}
      disabled={isDisabled}
      title={title}
      onClick={onClick}
    >
      {label}
    </button>
  );
}
