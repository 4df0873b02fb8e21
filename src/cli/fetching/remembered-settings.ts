import { resolve } from 'node:path';
import { isShippedMapping } from '../../ingest/csv/shipped/shipped-mappings.js';

/** The options of an import that its updates repeat. */
export interface RememberedSettings {
  readonly keepFlagged?: boolean | undefined;
  readonly units?: 'standard' | 'metric' | undefined;
  readonly mapping?: string | undefined;
  readonly maxRejects?: number | undefined;
  readonly maxConflicts?: number | undefined;
}

/** The settings as text. A mapping's path becomes absolute: updates may run in another folder. */
export function formatSettings(options: RememberedSettings): string {
  const { keepFlagged, units, mapping, maxRejects, maxConflicts } = options;
  const lasting = mapping === undefined || isShippedMapping(mapping) ? mapping : resolve(mapping);
  return JSON.stringify({ keepFlagged, units, mapping: lasting, maxRejects, maxConflicts });
}

export function parseSettings(text: string): RememberedSettings {
  return JSON.parse(text) as RememberedSettings;
}
