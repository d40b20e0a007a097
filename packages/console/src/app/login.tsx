import { useState } from 'preact/hooks';
import { focus } from '../browser/focus.ts';
import { Problem } from '../components/problem.tsx';
import { errorText } from './notices.tsx';
import { goOutside, logIn, outsideHost } from './session.ts';
import { texts } from './texts.ts';

/** The form for client id and secret. `isAgain`: over what is being edited. */
export function Login({ isAgain }: { readonly isAgain: boolean }) {
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    try {
      await logIn({
        clientId: String(form.get('clientId')).trim(),
        clientSecret: String(form.get('clientSecret')).trim(),
      });
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form class="login" onSubmit={submit}>
      <h1>{isAgain ? texts.login.heading : texts.title}</h1>
      {isAgain && <p>{texts.login.again}</p>}
      {outsideHost !== undefined && (
        <>
          <button type="button" class="main" ref={focus} onClick={() => goOutside(isAgain)}>
            {texts.login.outside(outsideHost)}
          </button>
          <p class="or">{texts.login.or}</p>
        </>
      )}
      <label>
        {texts.login.clientId}
        <input name="clientId" autocomplete="username" required {...(outsideHost === undefined && { ref: focus })} />
      </label>
      <label>
        {texts.login.clientSecret}
        <input name="clientSecret" type="password" autocomplete="current-password" required />
      </label>
      <Problem text={problem} />
      <button type="submit" class={outsideHost === undefined ? 'main' : ''} disabled={isBusy}>
        {texts.login.submit}
      </button>
      <p class="hint">{texts.login.hint}</p>
    </form>
  );
}
