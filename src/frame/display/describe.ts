import { DataType, type Field, type Table } from 'apache-arrow';
import type { MatchedName, Source, Unit } from '../../model/entity.js';
import type { RetrievalReport } from '../../model/report.js';
import { frameChecksum } from '../table/checksum.js';
import { CHECKSUM_KEY, derivationSteps, distinct, readProvenance, sourcesOf } from '../table/provenance.js';
import { type FrameShape, frameSeries, frameShape } from '../table/series-view.js';

/** The result of comparing a frame's values with the checksum recorded when the frame was written. */
export interface ChecksumState {
  /** `verified` if both checksums are equal, `differs` if they are not, `absent` if no checksum is recorded. */
  state: 'verified' | 'differs' | 'absent';
  /** The checksum in the frame's metadata, or null if there is none. */
  recorded: string | null;
  /** The checksum of the current values. */
  actual: string;
}

/** A frame's summary and the result of verifying its checksum. */
export interface FrameDescription extends FrameSummary {
  /** The result of comparing the recorded checksum with the checksum of the current values. */
  checksum: ChecksumState;
}

export function describeFrame(table: Table): FrameDescription {
  const recorded = table.schema.metadata.get(CHECKSUM_KEY) ?? null;
  const actual = frameChecksum(table);
  const state = recorded === null ? 'absent' : recorded === actual ? 'verified' : 'differs';
  return { ...summariseFrame(table), checksum: { state, recorded, actual } };
}

/** A summary of a frame, compiled from its schema, null counts and provenance. */
export interface FrameSummary {
  /** Whether the frame is long, wide, or neither. */
  shape: FrameShape;
  /** The number of rows. */
  rows: number;
  /** The columns, in order. */
  columns: {
    /** The name of the column. */
    name: string;
    /** The Arrow type of the column. */
    type: string;
    /** The number of nulls in the column. */
    nulls: number;
  }[];
  /** The number of series with at least one row or column. A series with values in two units counts twice. */
  series: number;
  /** The units of the values. */
  units: readonly Unit[];
  /** The sources of the values, with licences and citations. */
  sources: readonly Source[];
  /** The retrieval time as an ISO 8601 string in UTC; null if the frame has no provenance. */
  retrieved_at: string | null;
  /** The host of the service that returned the values; null if the frame has no provenance. */
  api_host: string | null;
  /** The selections and flags of the request; null if the frame has no provenance. */
  request: unknown;
  /** The counts in the retrieval report; null if the frame has no provenance. */
  report: ReportSummary | null;
  /** The entities used in place of requested names that had no exact match. */
  matched: readonly MatchedName[];
  /** The operations that computed the values from the retrieved values; empty if there are none. */
  derived: readonly string[];
}

/** The counts in a retrieval report. */
export interface ReportSummary {
  /** The number of series requested. */
  series: number;
  /** The number of series with rows. */
  data: number;
  /** The number of series without rows. */
  empty: number;
  /** The number of series that could not be retrieved. */
  failed: number;
  /** The number of series for which the service returned only some of the points. */
  truncated: number;
  /** The total number of rows in all series. */
  rows: number;
  /** The number of points dropped from a wide frame because another point of the same series ends on the same date. */
  dropped_duplicates: number;
}

export function summariseFrame(table: Table): FrameSummary {
  const provenance = readProvenance(table);
  const series = frameSeries(table);
  const used = new Set(series.map(({ unit_id }) => unit_id));
  return {
    shape: frameShape(table),
    rows: table.numRows,
    columns: table.schema.fields.map((field, at) => ({
      name: field.name,
      type: typeName(field),
      nulls: table.getChildAt(at)?.nullCount ?? 0,
    })),
    series: series.length,
    units: (provenance?.units ?? []).filter(({ id }) => series.length === 0 || used.has(id)),
    sources: sourcesOf(series, provenance),
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
