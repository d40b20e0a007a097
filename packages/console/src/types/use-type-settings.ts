import { useEffect, useState } from 'preact/hooks';
import { ApiError, type Call } from '../api/client.ts';
import { isMap, type JsonMap, jsonOf, parseJson, sameJson, writeJson } from '../api/json.ts';
import { errorText, notify } from '../app/notices.tsx';
import { useUnsaved } from '../app/router.ts';
import { call, read } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { whileVisible } from '../browser/while-visible.ts';
import type { MergeLine } from '../model/merge.ts';
import { withValue } from '../model/paths.ts';
import { keepTypes, type ProjectTypes, readTypes, settingsOf, type TypeSettings, typesPath } from './project-types.ts';

/** What the service refused of the types, and where. */
interface Refusal {
  readonly place: string;
  readonly message: string;
}

/** The place in a message such as `types.product.schema: … look at #/properties/name`, as one text. */
function refusalOf(message: string): Refusal {
  const text = message.replace(/^Malformed request body: /, '');
  const [, place = '', problem = ''] = /^((?:types|discriminator|closed)[^:]*): (.*)$/s.exec(text) ?? [];
  const [, pointer = ''] = /look at #([^\s]*)$/.exec(problem) ?? [];
  return { place: place + pointer.replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~'), message: text };
}

const pollMs = 1500;

/** The types of a project as they are stored, and as somebody edits them as JSON. */
export function useTypeSettings(projectKey: string) {
  const [base, setBase] = useState<ProjectTypes>();
  /** Undefined while nobody edits them. */
  const [text, setText] = useState<string>();
  const [problem, setProblem] = useState('');
  const [refusal, setRefusal] = useState<Refusal>();
  /** A newer version that others have saved. */
  const [theirs, setTheirs] = useState<ProjectTypes>();
  const [isBusy, setBusy] = useState(false);
  const path = typesPath(projectKey);
  const parsed = text === undefined ? undefined : jsonOf(text);
  const isChanged = base !== undefined && text !== undefined && !sameJson(parsed, settingsOf(base));
  const isBuilding = base?.unique.some(({ state }) => state === 'building') === true;

  function take(types: ProjectTypes): void {
    setBase(types);
    keepTypes(projectKey, types);
  }
  useEffect(() => {
    readTypes(projectKey).then(setBase, (error: unknown) => setProblem(errorText(error)));
  }, [projectKey]);
  useEffect(() => {
    if (!isBuilding) return;
    // Others may save meanwhile: only the states are taken over.
    const take = ({ version, unique }: ProjectTypes) =>
      setBase((before) => (before?.version === version ? { ...before, unique } : before));
    return whileVisible(pollMs, () => readTypes(projectKey).then(take, () => {}));
  }, [isBuilding]);
  useUnsaved(() => isChanged, 'You have unsaved types. Discard them?');

  /** Throws where the text is no JSON object. */
  function edited(): JsonMap {
    if (text === undefined) return settingsOf(base!);
    try {
      const json = parseJson(text);
      if (isMap(json)) return json;
    } catch (error) {
      throw new Error(`${texts.resource.jsonInvalid} ${errorText(error)}`);
    }
    throw new Error('Expected a JSON object: { … }');
  }
  const saveCall = (): Call => ({ method: 'PUT', path, json: { ...edited(), version: base!.version } });

  function refuse(error: unknown): void {
    const isInvalid = error instanceof ApiError && error.status === 400;
    setRefusal(isInvalid ? refusalOf(errorText(error)) : undefined);
    setProblem(isInvalid ? refusalOf(errorText(error)).message : errorText(error));
  }

  function edit(next: string | undefined): void {
    setText(next);
    setRefusal(undefined);
    setProblem('');
  }

  async function save(): Promise<void> {
    setBusy(true);
    setRefusal(undefined);
    setProblem('');
    try {
      const saved = (await call(projectKey, saveCall())).body as unknown as ProjectTypes;
      take(saved);
      setText(undefined);
      notify(`Saved as version ${saved.version}`);
    } catch (error) {
      const isConflict = error instanceof ApiError && (error.status === 409 || error.status === 412);
      if (isConflict) setTheirs(await read<ProjectTypes>(projectKey, { path }));
      else refuse(error);
    } finally {
      setBusy(false);
    }
  }

  return {
    ...{ base, text, problem, refusal, theirs, isChanged, isBusy, edited, saveCall, save, edit, refuse },
    /** Goes on with my changes over what others have saved; or without merging. */
    merge(changes?: readonly MergeLine[]): void {
      if (changes) {
        const merged = changes.reduce<JsonMap>(
          (all, { path: at, mine }) => withValue(all, at, mine),
          settingsOf(theirs!),
        );
        take(theirs!);
        setText(writeJson(merged, 2));
      }
      setTheirs(undefined);
    },
  };
}

/** Types to begin with. */
export const exampleTypes: TypeSettings = {
  discriminator: 'type',
  closed: false,
  types: {
    category: {
      name: 'Category',
      schema: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'object', additionalProperties: { type: 'string' } } },
      },
      unique: [],
      references: {},
    },
    product: {
      name: 'Product',
      schema: {
        type: 'object',
        required: ['name', 'sku'],
        properties: {
          name: { type: 'object', additionalProperties: { type: 'string' } },
          sku: { type: 'string', title: 'Article number', pattern: '^[A-Z0-9-]+$' },
          price: { type: 'integer', minimum: 0, description: 'Cents.' },
          size: { enum: ['S', 'M', 'L'] },
        },
      },
      unique: ['sku'],
      references: { category: { type: 'category', onDelete: 'restrict' } },
    },
  },
};
