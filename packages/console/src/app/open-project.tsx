import { useEffect, useState } from 'preact/hooks';
import { focus } from '../browser/focus.ts';
import { store, storedList } from '../browser/stored.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Form } from '../components/form.tsx';
import { TextInput } from '../components/inputs/fields.tsx';
import { Problem } from '../components/problem.tsx';
import { errorText, notifyError } from './notices.tsx';
import { type ListedProject, loadProjects, projectList } from './projects.ts';
import { go } from './router.ts';
import { texts } from './texts.ts';

/** Names only: what is in a project is never stored in the browser. */
const storageName = 'projects';
const maxRemembered = 8;

const remembered = () => storedList(storageName, (key): key is string => typeof key === 'string');

/** Keeps the key for the list of projects that were opened before. */
export function rememberProject(projectKey: string): void {
  const keys = [projectKey, ...remembered().filter((key) => key !== projectKey)].slice(0, maxRemembered);
  store(storageName, JSON.stringify(keys));
}

function countText({ resources, resourcesRelation }: ListedProject): string {
  if (resources === undefined) return '';
  return texts.projects.resources(`${resources.toLocaleString('en')}${resourcesRelation === 'gte' ? '+' : ''}`);
}

/** Asks which project to open; as a dialog where another one is open. */
export function OpenProject({ onClose }: { readonly onClose?: () => void }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  useEffect(() => {
    loadProjects().catch((error) => setProblem(errorText(error)));
  }, []);
  const open = (projectKey: string) => {
    if (go({ projectKey, room: 'resources' })) onClose?.();
  };
  const { projects = [], next } = projectList.value ?? {};
  const wanted = text.trim().toLowerCase();
  const matching = projects.filter(({ key }) => key.toLowerCase().includes(wanted));
  // Projects that were opened before come first, in that order. One without resources is listed only so.
  const recent = remembered().filter((key) => key.toLowerCase().includes(wanted));
  const others = matching.filter(({ key }) => !recent.includes(key));
  const choice = (project: ListedProject) => (
    <li key={project.key}>
      <button type="button" class="between project-choice" onClick={() => open(project.key)}>
        <span>{project.key}</span>
        <span class="hint">{countText(project)}</span>
      </button>
    </li>
  );
  const form = (
    <Form class="narrow projects" onSubmit={() => open(text.trim())}>
      <h1>{texts.projects.heading}</h1>
      <div class="line">
        <TextInput
          label="Project key"
          class="grow"
          name="projectKey"
          required
          pattern="[A-Za-z0-9_\-]{1,64}"
          ref={focus}
          autocomplete="off"
          placeholder="Project key, or a part of one"
          value={text}
          onInput={setText}
        />
        <Button isSubmit label="Open" kind="main" />
      </div>
      <p class="hint">
        A project needs no setup: its first resource creates it. Its key has 1 to 64 of the characters A–Z, a–z, 0–9, _
        and -.
      </p>
      <Problem text={problem} />
      <div class="choices">
        {recent.length > 0 && (
          <>
            <h2>Recently opened</h2>
            <ul>{recent.map((key) => choice(projects.find((one) => one.key === key) ?? { key }))}</ul>
          </>
        )}
        {others.length > 0 && (
          <>
            <h2>All projects</h2>
            <ul>{others.map(choice)}</ul>
          </>
        )}
        {projectList.value && wanted !== '' && recent.length + others.length === 0 && (
          <p>{`No project key contains “${text.trim()}”. Open it to create the project.`}</p>
        )}
        {next !== undefined && (
          <Button label="More projects" kind="plain" onClick={() => loadProjects(next).catch(notifyError)} />
        )}
      </div>
      {onClose && (
        <div class="actions">
          <Button label={texts.cancel} onClick={onClose} />
        </div>
      )}
    </Form>
  );
  if (!onClose) return <div class="center from-top">{form}</div>;
  return (
    <Dialog label={texts.projects.heading} onClose={onClose}>
      {form}
    </Dialog>
  );
}
