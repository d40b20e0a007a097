import { useState } from 'preact/hooks';
import { focus } from '../browser/focus.ts';
import { Form } from '../components/form.tsx';
import { Problem } from '../components/problem.tsx';
import { errorText } from './notices.tsx';
import { goOutside, logIn, outsideHost } from './session.ts';
import { texts } from './texts.ts';

/** The form for client id and secret. `isAgain`: over what is being edited. */
export function Login({ isAgain }: { readonly isAgain: boolean }) {
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);

  async function submit(form: HTMLFormElement): Promise<void> {
    const typed = new FormData(form);
    const textOf = (name: string) => String(typed.get(name)).trim();
    setBusy(true);
    try {
      await logIn({ clientId: textOf('clientId'), clientSecret: textOf('clientSecret') });
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Form class="narrow" onSubmit={submit}>
      <h1>{isAgain ? texts.login.heading : texts.title}</h1>
      {isAgain && <p>Your session has expired. Log in to continue; your edits are kept.</p>}
      {outsideHost !== undefined && (
        <>
          <button type="button" class="main" ref={focus} onClick={() => goOutside(isAgain)}>
            {`Log in with ${outsideHost}`}
          </button>
          <p class="or">or</p>
        </>
      )}
      <label>
        {texts.login.clientId}
        <input name="clientId" autocomplete="username" required {...(outsideHost === undefined && { ref: focus })} />
      </label>
      <label>
        Secret
        <input name="clientSecret" type="password" autocomplete="current-password" required />
      </label>
      <Problem text={problem} />
      <button type="submit" class={outsideHost === undefined ? 'main' : ''} disabled={isBusy}>
        Log in
      </button>
      <p class="hint">
        The first start prints the administrator’s client id and secret and stores them in admin-client.json in the data
        folder. Each start prints a link that logs in once.
      </p>
    </Form>
  );
}
