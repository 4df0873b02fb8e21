import { DataType, type Field, type Table } from 'apache-arrow';
import type { MatchedName, Source, Unit } from '../../model/entity.js';
import type { RetrievalReport } from '../../model/report.js';
import { frameChecksum } from '../table/checksum.js';
import { CHECKSUM_KEY, derivationSteps, distinct, readProvenance } from '../table/provenance.js';
import { type FrameShape, frameSeries, frameShape } from '../table/series-view.js';

/** Whether the values still match the checksum that was recorded when the frame was written. */
export interface ChecksumState {
  /** `verified` if both checksums are equal, `differs` if not, `absent` if none is recorded. */
  state: 'verified' | 'differs' | 'absent';
  /** The checksum in the frame's metadata; null if there is none. */
  recorded: string | null;
  /** The checksum of the current values. */
  actual: string;
}

/** The summary of a frame and the state of its checksum. */
export interface FrameDescription extends FrameSummary {
  /** The checksum in the metadata, compared with the checksum of the current values. */
  checksum: ChecksumState;
}

export function describeFrame(table: Table): FrameDescription {
  const recorded = table.schema.metadata.get(CHECKSUM_KEY) ?? null;
  const actual = frameChecksum(table);
  const state = recorded === null ? 'absent' : recorded === actual ? 'verified' : 'differs';
  return { ...summariseFrame(table), checksum: { state, recorded, actual } };
}

/** A summary of a frame, from its schema, buffers and provenance. */
export interface FrameSummary {
  /** Long, wide, or another table. */
  shape: FrameShape;
  /** The number of rows. */
  rows: number;
  /** The columns, in order. */
  columns: {
    /** The name of the column. */
    name: string;
    /** The Arrow type. */
    type: string;
    /** The number of null rows. */
    nulls: number;
  }[];
  /** The number of series that have a row or a column. A series in two units counts twice. */
  series: number;
  /** The size of the column buffers in bytes. */
  bytes: number;
  /** The units of the values. */
  units: readonly Unit[];
  /** Sources, with licence and citation. */
  sources: readonly Source[];
  /** The time of the retrieval, ISO 8601 UTC; null if the frame has no provenance. */
  retrieved_at: string | null;
  /** The host of the service; null if the frame has no provenance. */
  api_host: string | null;
  /** The selections and flags of the retrieval; null if the frame has no provenance. */
  request: unknown;
  /** The counts of the retrieval report; null if the frame has no provenance. */
  report: ReportSummary | null;
  /** The entities used for names that had no exact match. */
  matched: readonly MatchedName[];
  /** The steps by which the values were computed; empty if the values are as retrieved. */
  derived: readonly string[];
}

/** The counts of a retrieval report. */
export interface ReportSummary {
  /** The number of series requested. */
  series: number;
  /** The number of series with rows. */
  data: number;
  /** The number of series without rows. */
  empty: number;
  /** The number of series that failed. */
  failed: number;
  /** The number of series of which the service returned only a part. */
  truncated: number;
  /** The number of rows of all series. */
  rows: number;
  /**
   * The number of points dropped from a wide frame because another point of the series ends on the same date.
   */
  dropped_duplicates: number;
}

/** Summarises a frame without reading its values. */
export function summariseFrame(table: Table): FrameSummary {
  const provenance = readProvenance(table);
  return {
    shape: frameShape(table),
    rows: table.numRows,
    columns: table.schema.fields.map((field, at) => ({
      name: field.name,
      type: typeName(field),
      nulls: table.getChildAt(at)?.nullCount ?? 0,
    })),
    series: frameSeries(table).length,
    bytes: frameBytes(table),
    units: provenance?.units ?? [],
    sources: provenance?.sources ?? [],
    retrieved_at: provenance?.retrieved_at ?? null,
    api_host: provenance?.api_host ?? null,
    request: provenance?.request ?? null,
    report: provenance === null ? null : summariseReport(provenance.report),
    matched: matchedNames(provenance?.report ?? []),
    derived: derivationSteps(table),
  };
}

export function typeName({ type }: Field): string {
  if (DataType.isTimestamp(type)) return type.timezone ? `timestamp ${type.timezone}` : 'timestamp';
  if (DataType.isDictionary(type)) return 'dictionary';
  return String(type).toLowerCase();
}

function frameBytes(table: Table): number {
  const dictionaries = new Set<object>();
  let bytes = 0;
  for (const data of table.batches.flatMap((batch) => batch.data.children)) {
    for (const buffer of [data.values, data.valueOffsets, data.nullBitmap]) bytes += buffer?.byteLength ?? 0;
    if (data.dictionary === undefined || dictionaries.has(data.dictionary)) continue;
    dictionaries.add(data.dictionary);
    bytes += data.dictionary.byteLength;
  }
  return bytes;
}

function summariseReport(report: RetrievalReport): ReportSummary {
  const sum = (numberOf: (entry: RetrievalReport[number]) => number | boolean) =>
    report.reduce((total, entry) => total + Number(numberOf(entry)), 0);
  return {
    series: report.length,
    data: sum(({ outcome }) => outcome === 'data'),
    empty: sum(({ outcome }) => outcome === 'empty'),
    failed: sum(({ outcome }) => outcome === 'failed'),
    truncated: sum(({ truncated }) => truncated),
    rows: sum(({ rows }) => rows),
    dropped_duplicates: sum(({ dropped_duplicates = 0 }) => dropped_duplicates),
  };
}

function matchedNames(report: RetrievalReport): MatchedName[] {
  return distinct(report.flatMap(({ matched }) => Object.values(matched ?? {}) as MatchedName[]));
}
