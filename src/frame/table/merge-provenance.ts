import type { Table } from 'apache-arrow';
import type { Provenance } from '../../model/provenance.js';
import {
  CHECKSUM_KEY,
  DERIVED_KEY,
  derivationSteps,
  frameMetadata,
  PROVENANCE_KEY,
  readProvenance,
} from './provenance.js';

/**
 * The metadata of a frame that one step computes from several: the steps of each before this one, all sources, units and
 * reports, and the earliest date of retrieval. Without a checksum, and without provenance when none of them has any.
 */
export function mergedMetadata(tables: readonly Table[], step: string): Map<string, string> {
  const metadata = new Map(tables.flatMap((table) => [...frameMetadata(table)]));
  metadata.delete(CHECKSUM_KEY);
  const steps = new Set(tables.flatMap(derivationSteps));
  metadata.set(DERIVED_KEY, JSON.stringify([...steps, step]));
  const known = tables.map(readProvenance).filter((provenance) => provenance !== null);
  if (known.length > 0) metadata.set(PROVENANCE_KEY, JSON.stringify(mergeProvenance(known)));
  return metadata;
}

function mergeProvenance(all: readonly Provenance[]): Provenance {
  return {
    asked: distinct(all.map(({ asked }) => asked)),
    retrieved_at: all.map(({ retrieved_at }) => retrieved_at).sort()[0]!,
    api_host: distinct(all.map(({ api_host }) => api_host)).join(', '),
    sources: distinct(all.flatMap(({ sources }) => sources)),
    units: distinct(all.flatMap(({ units }) => units)),
    report: distinct(all.flatMap(({ report }) => report)),
  };
}

/** The values that differ as JSON, in order. */
function distinct<T>(values: readonly T[]): T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
