import { useState } from 'preact/hooks';
import { ApiError, type Call, pathOf } from '../api/client.ts';
import { isMap, type Json, type JsonMap, parseJson, sameJson, writeJson } from '../api/json.ts';
import { errorText } from '../app/notices.tsx';
import { call } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { CopyAs } from '../components/copy-as.tsx';
import { Dialog } from '../components/dialogs/dialog.tsx';
import { Problem } from '../components/problem.tsx';
import { EditorField } from '../editor/editor-field.tsx';

interface EditDocumentProps {
  readonly projectKey: string;
  readonly document: Json;
  /** Of the document: what it was read as. */
  readonly etag: string | undefined;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** What has to be merged into one object (RFC 7396) to make it the other. */
export function mergePatchOf(before: JsonMap, after: JsonMap): JsonMap {
  const patch: Record<string, Json> = {};
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) patch[name] = null;
  for (const [name, value] of Object.entries(after)) {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    if (sameJson(old, value)) continue;
    patch[name] = isMap(old) && isMap(value) ? mergePatchOf(old, value) : value;
  }
  return patch;
}

/** Edits the document as a whole. What is written is what changed, and only if nobody else wrote it meanwhile. */
export function EditDocument({ projectKey, document, etag, onSaved, onClose }: EditDocumentProps) {
  const before = isMap(document) ? document : {};
  const [text, setText] = useState(() => writeJson(before, 2));
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const { backends } = texts;

  /** Throws `SyntaxError` where the text is no document. */
  function saveCall(): Call {
    const edited = parseJson(text);
    if (!isMap(edited)) throw new SyntaxError('{ … } expected');
    return {
      ...{ method: 'POST', path: pathOf(projectKey, 'resource', 'namespace-action') },
      ...{ json: mergePatchOf(before, edited), ...(etag !== undefined && { headers: { 'if-match': etag } }) },
    };
  }

  async function save(): Promise<void> {
    let request: Call;
    try {
      request = saveCall();
    } catch (error) {
      setProblem(`This is not valid JSON: ${errorText(error)}`);
      return;
    }
    setBusy(true);
    try {
      await call(projectKey, request);
      onSaved();
    } catch (error) {
      setProblem(
        error instanceof ApiError && error.status === 412
          ? 'Someone else has changed the document. Close this dialog, check the document, and try again.'
          : errorText(error),
      );
      setBusy(false);
    }
  }

  return (
    <Dialog label={backends.document} onClose={onClose} isWide>
      <h1>{backends.document}</h1>
      <EditorField text={text} onChange={setText} />
      <Problem text={problem} />
      <div class="actions">
        <CopyAs call={saveCall} />
        <span class="space" />
        <Button label={texts.cancel} onClick={onClose} />
        <Button label="Save" kind="main" isDisabled={isBusy} onClick={save} />
      </div>
    </Dialog>
  );
}
