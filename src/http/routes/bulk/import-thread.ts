import { randomFillSync } from 'node:crypto';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { ServiceError } from '../../../contract/errors.ts';
import { createPace } from '../../../domain/bulk/pace.ts';
import { copyError, errorOfCopy } from '../../../domain/error-copy.ts';
import type { BulkStore, OpenThreadStore } from '../../../domain/ports/bulk-threads.ts';
import { createUuidV7 } from '../../../domain/uuid.ts';
import type { FromImport, ImportThreadData, ThreadCommand, ToImport } from './import-messages.ts';
import { type ImportTask, prepareImport } from './import-task.ts';

/** The thread in which all imports of a process run (imports.ts). */
const parent = parentPort;
if (!parent) throw new Error('This file is the entry of a worker thread.');
const { module, data, storePort, calls, clockOffsetMs } = workerData as ImportThreadData;
const { openThreadStore } = (await import(module)) as { openThreadStore: OpenThreadStore };
const { store, close } = openThreadStore(data, storePort);
const nowMs = () => Date.now() + clockOffsetMs;
const newId = createUuidV7(nowMs, (bytes) => randomFillSync(bytes));
const encoder = new TextEncoder();
const pace = createPace(calls);

/** Runs an import, whose body and results go by the port. */
async function run(store: BulkStore, task: ImportTask, port: MessagePort): Promise<void> {
  const begun = Promise.withResolvers<void>();
  const body = createBody(() => send(['taken']));
  let stopped: ServiceError | undefined;
  let isUnread = false;
  let isGone = false;

  function send(message: FromImport, transfer: ArrayBuffer[] = []): void {
    port.postMessage(message, transfer);
  }

  port.on('message', (message: ToImport) => {
    switch (message[0]) {
      case 'chunk':
        return body.add(message[1]);
      case 'end':
        return body.end();
      case 'failed':
        return body.end(errorOfCopy(message[1]));
      case 'run':
        return begun.resolve();
      case 'stop':
        stopped = errorOfCopy(message[1]) as ServiceError;
        return;
      case 'unread':
        isUnread = true;
        return;
      case 'gone':
        isGone = true;
        body.end(new Error('the client of the import has disconnected'));
        return begun.resolve();
    }
  });

  const world = {
    ...{ store, nowMs, newId, pace },
    // Nobody reads the reason that its client has gone.
    stopReason: () => stopped ?? (isGone ? new ServiceError('ResponseNotRead', 'The client has gone.') : undefined),
    write(texts: readonly string[]) {
      if (texts.length === 0) return true;
      const bytes = encoder.encode(`${texts.join('\n')}\n`);
      send(['results', bytes], [bytes.buffer]);
      return !isUnread;
    },
  };
  const prepared = await prepareImport(task, body.chunks(), world).catch((error: unknown) => {
    send(['refused', copyError(error)]);
  });
  if (!prepared) return;
  send(['prepared']);
  await begun.promise;
  await prepared().then(
    () => send(['ended']),
    (error: unknown) => send(['failed', copyError(error)]),
  );
}

/** A body that arrives in parts; `onTaken` is called when one has been looked at. */
function createBody(onTaken: () => void) {
  const parts: Uint8Array[] = [];
  let isEnded = false;
  let failure: Error | undefined;
  let arrived = Promise.withResolvers<void>();

  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const part = parts.shift();
      if (part) {
        yield part;
        onTaken();
      } else if (failure) throw failure;
      else if (isEnded) return;
      else {
        await arrived.promise;
        arrived = Promise.withResolvers();
      }
    }
  }

  return {
    chunks,
    add(part: Uint8Array) {
      parts.push(part);
      arrived.resolve();
    },
    end(error?: Error) {
      isEnded = true;
      failure = error;
      arrived.resolve();
    },
  };
}

const running = new Set<Promise<void>>();

parent.on('message', async (command: ThreadCommand) => {
  if (command === 'close') {
    // Whose client has gone may still wait for a group that is being committed.
    await Promise.allSettled(running);
    await close();
    parent.close();
    return;
  }
  const { task, port } = command;
  const ended = run(store, task, port).finally(() => {
    port.close();
    running.delete(ended);
  });
  running.add(ended);
  await ended;
});
