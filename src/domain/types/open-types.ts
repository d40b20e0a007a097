import type { CompileSchema } from '../ports/schema.ts';
import type { Store } from '../ports/store.ts';
import type { Gate } from '../resource/write/gate.ts';
import type { SettingsReader } from '../settings/stored-settings.ts';
import { MarksBuilder } from './build.ts';
import { TypeGate } from './gate.ts';
import { TypesReader } from './project-types.ts';

interface TypesParts extends Pick<Store, 'resources' | 'rules'> {
  readonly settings: SettingsReader;
  readonly compileSchema: CompileSchema;
  readonly onFailed: (error: unknown) => void;
}

/** Everything that types of projects need: who reads them, who holds writes to them, and who builds the marks. */
export function openTypes({ resources: store, rules, settings, compileSchema, onFailed }: TypesParts) {
  const marksBuilder = new MarksBuilder({ store, rules, settings, onFailed });
  const types = new TypesReader(settings, compileSchema, (projectKey) => marksBuilder.start(projectKey));
  const gate: Gate = new TypeGate(types, rules);
  return { settings, compileSchema, types, marksBuilder, gate, close: () => marksBuilder.close() };
}

export type OpenedTypes = ReturnType<typeof openTypes>;
