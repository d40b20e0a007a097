import { setTimeout as pause } from 'node:timers/promises';
import { answerOf, isAcknowledged, type WriteAttempt } from '../record.ts';
import type { World } from '../world.ts';
import type { Action } from '../write.ts';

const skus = ['s0', 's1'];

interface Variant {
  readonly id: string;
  readonly version: number;
  readonly images: readonly string[];
}

/** What an upload or an update of a variant was answered. */
export function variantOf(attempt: WriteAttempt): Variant | undefined {
  return isAcknowledged(attempt) ? JSON.parse(answerOf(attempt)!.text) : undefined;
}

/** Uploads images to few variants, moves, labels, publishes and removes them, and lists them, until the round is over. */
export async function keepUploading(world: World, client: number): Promise<void> {
  const { random } = world;
  while (!world.isStopped) {
    await pause(random.integer(0, 100));
    const project = random.pick(world.projects);
    const sku = random.pick(skus);
    const name = world.name();
    const staged = random.next() < 0.6;
    const uploaded = await world.write(client, project, name, { kind: 'upload', sku, staged, filename: name });
    const path = `/${project}/resource/images?sku=${sku}&staged=true`;
    await world.read(client, project, { kind: 'variant', sku }, { path });
    const variant = uploaded && variantOf(uploaded);
    if (!variant || random.next() < 0.4) continue;
    const { id, version, images } = variant;
    const imageUrl = random.pick(images);
    const actions = random.pick<readonly Action[]>([
      [{ action: 'moveImageToPosition', imageUrl, position: 0 }],
      [{ action: 'setImageLabel', imageUrl, label: name }],
      [{ action: 'removeImage', imageUrl }],
      [{ action: 'removeImage', imageUrl, staged: false }],
      [{ action: 'doSomeThing' }, { action: 'publish' }],
    ]);
    await world.write(client, project, world.name(), { kind: 'variant', id, version, actions });
  }
}
