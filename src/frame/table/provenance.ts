import { type Field, Schema, type Table } from 'apache-arrow';
import * as v from 'valibot';
import type { Source } from '../../model/entity.js';
import { badArgument } from '../../model/errors.js';
import type { Provenance } from '../../model/provenance.js';
import { check, fieldsOf, required } from '../../model/schema/check.js';
import { isNot } from '../../model/schema/schemas.js';
import type { SeriesKey } from '../../model/series.js';
import { createRecordBatch, createTable } from './frame-table.js';

/** The schema metadata key of the provenance, in both Arrow and Parquet files. */
export const PROVENANCE_KEY = 'cropframe.provenance';
export const CHECKSUM_KEY = 'cropframe.checksum';
export const DERIVED_KEY = 'cropframe.derived';
export const DERIVED_METRICS_KEY = 'cropframe.derived_metrics';

const ENTRY = v.custom(
  (entry) => typeof (entry as { series?: unknown } | null)?.series === 'object',
  isNot('a report entry that contains its series'),
);

export const PROVENANCE = fieldsOf({
  retrieved_at: required(v.string()),
  sources: required(v.array(v.unknown())),
  units: required(v.array(v.unknown())),
  report: required(v.array(ENTRY)),
});

export function frameSchema(fields: Field[], provenance: Provenance | undefined): Schema {
  const metadata = new Map<string, string>();
  if (provenance !== undefined) metadata.set(PROVENANCE_KEY, provenanceText(provenance));
  return new Schema(fields, metadata);
}

function provenanceText(provenance: Provenance): string {
  try {
    return JSON.stringify(provenance);
  } catch (cause) {
    throw badArgument('provenance', 'the provenance cannot be written as JSON; use only plain values', {
      cause,
    });
  }
}

export function readProvenance({ schema }: Pick<Table, 'schema'>): Provenance | null {
  const parsed = parseJsonOrNull(schema.metadata.get(PROVENANCE_KEY));
  try {
    check(PROVENANCE, parsed, 'provenance');
    return parsed as Provenance;
  } catch {
    return null;
  }
}

/** Returns the sources of the given series, or all sources if there is no series or a series has several sources. */
export function sourcesOf(
  series: readonly { readonly key: SeriesKey }[],
  provenance: Provenance | null,
): readonly Source[] {
  const used = new Set(series.map(({ key }) => key.source_id));
  // A sum over several sources has source id 0.
  const isOfAll = used.size === 0 || used.has(0);
  return (provenance?.sources ?? []).filter(({ id }) => isOfAll || used.has(id));
}

export function withMetadata(table: Table, metadata: ReadonlyMap<string, string>): Table {
  const schema = new Schema(table.schema.fields, new Map(metadata));
  const batches = table.batches.map(({ data }) => createRecordBatch(schema, data.children, data.length));
  return createTable(schema, batches);
}

export function withProvenance(table: Table, provenance: Provenance): Table {
  check(PROVENANCE, provenance, 'provenance');
  const metadata = new Map(table.schema.metadata);
  metadata.set(PROVENANCE_KEY, provenanceText(provenance));
  return withMetadata(table, metadata);
}

/** Returns a frame's schema metadata without the keys set by other software. */
export function frameMetadata({ schema }: Pick<Table, 'schema'>): Map<string, string> {
  return new Map([...schema.metadata].filter(([key]) => key.startsWith('cropframe.')));
}

/** Returns, in order, the steps by which a frame's values were derived from the retrieved values. */
export function derivationSteps({ schema }: Pick<Table, 'schema'>): string[] {
  const steps = parseJsonOrNull(schema.metadata.get(DERIVED_KEY));
  return Array.isArray(steps) ? steps.map(String) : [];
}

export function sourceMetrics({ schema }: Pick<Table, 'schema'>): Map<number, number> {
  const sources = parseJsonOrNull(schema.metadata.get(DERIVED_METRICS_KEY));
  return new Map(Object.entries(sources ?? {}).map(([id, source]) => [Number(id), Number(source)]));
}

/** Returns a function that maps the key of a derived series to the key of its source series. */
export function sourceKeys(table: Pick<Table, 'schema'>): (key: SeriesKey) => SeriesKey {
  const sources = sourceMetrics(table);
  return (key) => ({ ...key, metric_id: sources.get(key.metric_id) ?? key.metric_id });
}

function parseJsonOrNull(text: string | undefined): unknown {
  try {
    return text === undefined ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Formats a call to the frame operation `verb` as a derivation step. Functions are written as their source code. */
export function stepText(verb: string, ...given: readonly unknown[]): string {
  const shown = (_: string, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    return typeof value === 'function' ? String(value) : value;
  };
  return `${verb}(${given.map((one) => JSON.stringify(one, shown)).join(', ')})`;
}

/** Returns a table's metadata with a step added and without the checksum, because the checksum covers old values. */
export function derivedMetadata(table: Pick<Table, 'schema'>, step: string): Map<string, string> {
  const metadata = new Map(table.schema.metadata);
  metadata.delete(CHECKSUM_KEY);
  return metadata.set(DERIVED_KEY, JSON.stringify([...derivationSteps(table), step]));
}

/**
 * Merges the metadata of several frames into that of a frame computed from them. The result has all steps, sources,
 * units and reports, and the earliest retrieval time. It has no checksum, and no provenance if no input has any.
 */
export function mergedMetadata(tables: readonly Table[], step: string): Map<string, string> {
  const metadata = new Map(tables.flatMap((table) => [...frameMetadata(table)]));
  metadata.delete(CHECKSUM_KEY);
  const steps = new Set(tables.flatMap(derivationSteps));
  metadata.set(DERIVED_KEY, JSON.stringify([...steps, step]));
  const sources = tables.flatMap((table) => [...sourceMetrics(table)]);
  if (sources.length > 0) metadata.set(DERIVED_METRICS_KEY, JSON.stringify(Object.fromEntries(sources)));
  const known = tables.map(readProvenance).filter((provenance) => provenance !== null);
  if (known.length > 0) metadata.set(PROVENANCE_KEY, JSON.stringify(mergeProvenance(known)));
  return metadata;
}

function mergeProvenance(all: readonly Provenance[]): Provenance {
  return {
    request: distinct(all.map(({ request }) => request)),
    retrieved_at: all.map(({ retrieved_at }) => retrieved_at).sort()[0]!,
    api_host: distinct(all.map(({ api_host }) => api_host)).join(', '),
    sources: distinct(all.flatMap(({ sources }) => sources)),
    units: distinct(all.flatMap(({ units }) => units)),
    report: distinct(all.flatMap(({ report }) => report)),
  };
}

/** Returns the values without duplicates, in order of first appearance. Values with equal JSON are duplicates. */
export function distinct<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
