import { resolve } from 'node:path';
import { isShippedMapping } from '../../ingest/csv/shipped/shipped-mappings.js';
import { IMPORTER_SETTINGS, type ImporterSettings } from '../../model/importing/job.js';

/** The options of an import that its updates repeat. */
export interface RememberedSettings extends Omit<ImporterSettings, 'mapping'> {
  readonly mapping?: string | undefined;
  readonly maxRejects?: number | undefined;
  readonly maxConflicts?: number | undefined;
}

const REMEMBERED: readonly string[] = [...Object.keys(IMPORTER_SETTINGS), 'maxRejects', 'maxConflicts'];

/** The settings among the options of a command. */
export function pickSettings(options: RememberedSettings): RememberedSettings {
  return Object.fromEntries(Object.entries(options).filter(([name]) => REMEMBERED.includes(name)));
}

/** The settings as text. A mapping's path becomes absolute: updates may run in another folder. */
export function formatSettings(options: RememberedSettings): string {
  const { mapping } = options;
  const lasting = mapping === undefined || isShippedMapping(mapping) ? mapping : resolve(mapping);
  return JSON.stringify({ ...pickSettings(options), mapping: lasting });
}

export function parseSettings(text: string): RememberedSettings {
  return JSON.parse(text) as RememberedSettings;
}
