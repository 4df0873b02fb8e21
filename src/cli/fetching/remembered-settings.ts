import { resolve } from 'node:path';
import { isShippedMapping } from '../../ingest/csv/shipped/shipped-mappings.js';
import type { ImporterSettings } from '../../model/importing/job.js';

/** The options of an import that its updates repeat. */
export interface RememberedSettings extends Omit<ImporterSettings, 'mapping'> {
  readonly mapping?: string | undefined;
  readonly maxRejects?: number | undefined;
  readonly maxConflicts?: number | undefined;
}

/** Every one of them: a new setting of importers does not compile until it is here. */
const REMEMBERED: Readonly<Record<keyof RememberedSettings, true>> = {
  keepFlagged: true,
  units: true,
  statistic: true,
  positions: true,
  mapping: true,
  maxRejects: true,
  maxConflicts: true,
};

/** The settings among the options of a command. */
export function pickSettings(options: RememberedSettings): RememberedSettings {
  return Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(REMEMBERED, name)));
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
