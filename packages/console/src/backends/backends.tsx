import type { BackendState, Cart } from 'generic-resource-service-client/api-types';
import { useState } from 'preact/hooks';
import { serviceAddress } from '../api/base-address.ts';
import { type Call, curlOf, pathOf } from '../api/client.ts';
import { type Json, writeJson } from '../api/json.ts';
import { errorText, notify } from '../app/notices.tsx';
import { call, mayWrite, read } from '../app/session.ts';
import { texts } from '../app/texts.ts';
import { Button } from '../components/button.tsx';
import { CopyAs } from '../components/copy-as.tsx';
import { Facts } from '../components/facts.tsx';
import { Problem } from '../components/problem.tsx';
import { useRead } from '../model/use-read.ts';
import { CartTable } from './cart.tsx';
import { EditDocument } from './edit-document.tsx';

/** The document of the backend and its cart, or why it has no cart. */
interface Kept {
  readonly document: Json;
  readonly etag: string | undefined;
  readonly cart: Cart | undefined;
  readonly cartProblem: string;
}

const refreshMs = 10_000;

async function readKept(projectKey: string): Promise<Kept> {
  const path = (segment: string) => ({ path: pathOf(projectKey, 'resource', segment) });
  const { body, headers } = await call(projectKey, path('namespace-action'));
  const kept = { document: body ?? null, etag: headers.get('etag') ?? undefined };
  try {
    return { ...kept, cart: await read<Cart>(projectKey, path('namespace-action-with-example')), cartProblem: '' };
  } catch (error) {
    return { ...kept, cart: undefined, cartProblem: errorText(error) };
  }
}

function State({ state }: { readonly state: BackendState }) {
  const { backends } = texts;
  const { kind, isDefault, calls, failures, p50Ms, p99Ms, circuit } = state;
  const time = (ms: number | undefined) => (ms === undefined ? '–' : `${ms.toLocaleString('en')} ms`);
  const facts: Parameters<typeof Facts>[0]['facts'] = [
    ['Kind', backends.kinds[kind]],
    ['Configured', isDefault ? 'for all projects without one of their own' : 'for this project'],
    ...(circuit ? [['Circuit', backends.circuits[circuit], circuit !== 'closed'] as const] : []),
    ['Calls', calls === 0 ? 'No calls yet.' : calls.toLocaleString('en')],
    ...(calls === 0
      ? []
      : [
          ['Failed', failures.toLocaleString('en'), failures > 0] as const,
          ['Median', time(p50Ms)] as const,
          ['p99', time(p99Ms)] as const,
        ]),
  ];
  return (
    <>
      <Facts class="facts tiles" facts={facts} />
      <p class="hint">Since the processes of the service started; of all projects that use this backend.</p>
    </>
  );
}

/** The room of the project's backend: how it fares, and what it keeps. */
export function Backend({ projectKey }: { readonly projectKey: string }) {
  const [isEditing, setEditing] = useState(false);
  const writePath = pathOf(projectKey, 'resource', 'namespace-action');
  const { value: state, problem } = useRead(
    (signal) => read<BackendState>(projectKey, { path: pathOf(projectKey, 'backend'), signal }),
    projectKey,
    { pauseMs: refreshMs },
  );
  const isLocal = state?.kind === 'local';
  // Other backends are read on request only: a call may be expensive.
  const {
    value: kept,
    problem: keptProblem,
    reload: readAgain,
  } = useRead(() => readKept(projectKey), isLocal ? projectKey : undefined);

  return (
    <div class="page">
      <div class="bar">
        <h1>Backend</h1>
        <span class="space" />
        {state && <Button label={isLocal || kept ? 'Read again' : 'Read from the backend'} onClick={readAgain} />}
      </div>
      <p class="hint">
        The backend of a project carries out its backend actions: it keeps a cart, or whatever its operator wrote.
      </p>
      <Problem text={problem || keptProblem} />
      {state && <State state={state} />}
      {state && !isLocal && (
        <p class="hint">What a backend keeps is read by its actions. These ask it, and count as calls:</p>
      )}
      {kept && <KeptView kept={kept} path={writePath} onEdit={isLocal ? () => setEditing(true) : undefined} />}
      {isEditing && kept && (
        <EditDocument
          projectKey={projectKey}
          document={kept.document}
          etag={kept.etag}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false);
            notify('The document is saved.');
            void readAgain();
          }}
        />
      )}
    </div>
  );
}

interface KeptProps {
  readonly kept: Kept;
  readonly path: string;
  /** Undefined where the document cannot be edited here. */
  readonly onEdit: (() => void) | undefined;
}

/** The cart and the document of the backend. */
function KeptView({ kept, path, onEdit }: KeptProps) {
  const { backends } = texts;
  const { cart, cartProblem, document } = kept;
  return (
    <>
      <h2>{backends.cart}</h2>
      {cartProblem !== '' && <p class="problem">The document cannot be read as a cart: {cartProblem}</p>}
      {cart && cart.lineItems.length > 0 && <CartTable cart={cart} />}
      {cart?.lineItems.length === 0 && <EmptyCart path={path} />}
      <div class="bar">
        <h2>{backends.document}</h2>
        <span class="space" />
        <CopyAs call={() => ({ path })} />
        {mayWrite.value && onEdit && <Button label="Edit" onClick={onEdit} />}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by the keyboard. */}
      <pre class="code tall" tabIndex={0}>
        {writeJson(document, 2)}
      </pre>
    </>
  );
}

const exampleItem = {
  name: 'Oak chair',
  count: 2,
  price: { centAmount: 12950, currencyCode: 'EUR' },
  variant: { sku: 'OAK-1' },
};

function EmptyCart({ path }: { readonly path: string }) {
  const example: Call = { method: 'POST', path, json: { lineItems: [exampleItem] } };
  return (
    <div class="empty">
      <p>
        <strong>The cart is empty.</strong>{' '}
        {mayWrite.value &&
          'Write line items to the document, and they are priced and shown here as a shop would get them:'}
      </p>
      {mayWrite.value && (
        <>
          <pre class="code">{curlOf(example, serviceAddress())}</pre>
          <div class="actions">
            <CopyAs call={() => example} />
          </div>
        </>
      )}
    </div>
  );
}
