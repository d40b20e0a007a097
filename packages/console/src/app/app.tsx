import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Login } from './login.tsx';
import { errorText, Notices, notify, notifyError } from './notices.tsx';
import { place, replaceAddress } from './router.ts';
import { arrive, logIn, resume, session } from './session.ts';
import { Shell } from './shell.tsx';
import { texts } from './texts.ts';

/** A word after the `#`, which is taken out of the address before it is used: a one-time code, or how a login went. */
function takeWord(name: string): string | undefined {
  const word = new URLSearchParams(location.hash.slice(1)).get(name) ?? undefined;
  if (word !== undefined) history.replaceState(null, '', location.pathname + location.search);
  return word;
}

async function start(): Promise<void> {
  const outcome = takeWord('login');
  if (outcome !== undefined) {
    const left = await arrive();
    if (left !== undefined) replaceAddress(left);
    const problem = Object.entries(texts.login.problems).find(([name]) => name === outcome);
    if (problem) notify(problem[1], true);
    return;
  }
  const code = takeWord('code');
  if (code !== undefined) {
    try {
      return await logIn({ code });
    } catch (error) {
      notify(errorText(error), true);
    }
  }
  await resume();
}

/** The console: a login, then the rooms. After a session has ended the rooms stay, below a new login. */
export function App() {
  const [wasLoggedIn, setLoggedIn] = useState(false);
  useEffect(() => {
    start().catch(notifyError);
  }, []);
  useEffect(() => {
    if (session.value) setLoggedIn(true);
  }, [session.value]);
  const current = session.value;
  const title = [place.value.item, texts.rooms[place.value.room], place.value.projectKey].filter(Boolean).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);

  if (current === undefined && !wasLoggedIn) {
    return (
      <>
        <p class="center" role="status">
          {texts.loading}
        </p>
        <Notices />
      </>
    );
  }
  if (!current && !wasLoggedIn) {
    return (
      <main class="center">
        <Login isAgain={false} />
        <Notices />
      </main>
    );
  }
  return (
    <>
      <Shell />
      {current === null && (
        <Dialog label={texts.login.heading} onClose={() => {}}>
          <Login isAgain />
        </Dialog>
      )}
      <Notices />
    </>
  );
}
