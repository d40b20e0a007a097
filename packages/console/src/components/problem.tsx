interface ProblemProps {
  readonly text: string;
  /** It points at a place in a text: all characters are of one width. */
  readonly isCode?: boolean | undefined;
  readonly id?: string;
}

/** Says what went wrong, where something did; read aloud when it appears. */
export function Problem({ text, isCode, id }: ProblemProps) {
  if (text === '') return null;
  const Paragraph = isCode ? 'pre' : 'p';
  return (
    <Paragraph id={id} class="problem" role="alert">
      {text}
    </Paragraph>
  );
}
