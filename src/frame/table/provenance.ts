import { type Field, Schema, type Table } from 'apache-arrow';
import type { Provenance } from '../../model/provenance.js';
import { withSchema } from './record-batch.js';

/** Keys of the schema metadata, in Arrow and Parquet alike. */
export const PROVENANCE_KEY = 'cropframe.provenance';
export const CHECKSUM_KEY = 'cropframe.checksum';
export const DERIVED_KEY = 'cropframe.derived';

/** A schema whose metadata carries the provenance as JSON text; without one the schema has no metadata. */
export function frameSchema(fields: Field[], provenance: Provenance | undefined): Schema {
  const metadata = new Map<string, string>();
  if (provenance !== undefined) metadata.set(PROVENANCE_KEY, JSON.stringify(provenance));
  return new Schema(fields, metadata);
}

/** The provenance that a frame carries, or null when it carries none (or not one that can be read). */
export function readProvenance(table: Table): Provenance | null {
  const parsed = parseJsonOrNull(table.schema.metadata.get(PROVENANCE_KEY));
  return isProvenance(parsed) ? parsed : null;
}

function isProvenance(value: unknown): value is Provenance {
  if (typeof value !== 'object' || value === null) return false;
  const { retrieved_at, sources, units, report } = value as Partial<Record<keyof Provenance, unknown>>;
  return (
    typeof retrieved_at === 'string' &&
    Array.isArray(sources) &&
    Array.isArray(units) &&
    Array.isArray(report)
  );
}

/** The same columns under a schema with this metadata; nothing is copied. */
export function withMetadata(table: Table, metadata: ReadonlyMap<string, string>): Table {
  return withSchema(table, new Schema(table.schema.fields, new Map(metadata)));
}

/** The same frame with another provenance, for instance with a report that was completed later. */
export function withProvenance(table: Table, provenance: Provenance): Table {
  const metadata = new Map(table.schema.metadata);
  metadata.set(PROVENANCE_KEY, JSON.stringify(provenance));
  return withMetadata(table, metadata);
}

/** What the schema metadata says of the frame, without what other software put there. */
export function frameMetadata({ schema }: Pick<Table, 'schema'>): Map<string, string> {
  return new Map([...schema.metadata].filter(([key]) => key.startsWith('cropframe.')));
}

/** How a frame's figures were computed from those that were retrieved, one step an entry, in order. */
export function derivationSteps({ schema }: Pick<Table, 'schema'>): string[] {
  const steps = parseJsonOrNull(schema.metadata.get(DERIVED_KEY));
  return Array.isArray(steps) ? steps.map(String) : [];
}

function parseJsonOrNull(text: string | undefined): unknown {
  try {
    return text === undefined ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** The metadata of a frame computed from `table` by one more step; the former figures' checksum is left out. */
export function derivedMetadata(table: Table, step: string): Map<string, string> {
  const metadata = new Map(table.schema.metadata);
  metadata.delete(CHECKSUM_KEY);
  return metadata.set(DERIVED_KEY, JSON.stringify([...derivationSteps(table), step]));
}
