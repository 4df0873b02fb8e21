import { type Json, mappingError, readObject } from '../mapping-json.js';

/** An entry of an object whose keys are names. */
export interface DefinitionEntry {
  /** For messages: `define.items.Goats`. */
  readonly key: string;
  readonly name: string;
  readonly fields: Json;
}

export function readEntries(value: unknown, key: string, known: readonly string[]): DefinitionEntry[] {
  if (value === undefined) return [];
  return Object.entries(readObject(value, key)).map(([name, fields]) => {
    if (name.trim() === '') throw mappingError(key, 'defines something without a name');
    const own = `${key}.${name}`;
    return { key: own, name: name.trim(), fields: readObject(fields, own, known) };
  });
}
