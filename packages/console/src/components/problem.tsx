/** Says what went wrong, where something did; read aloud when it appears. */
export function Problem({ text }: { readonly text: string }) {
  if (text === '') return null;
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}
