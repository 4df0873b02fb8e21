import { DataType, type Field, type Table } from 'apache-arrow';
import type { Source, Unit } from '../../model/entity.js';
import type { RetrievalReport } from '../../model/report.js';
import { derivationSteps, readProvenance } from '../table/provenance.js';
import { type FrameShape, frameSeries, frameShape } from '../table/series-view.js';

/** What is known of a frame and its figures. */
export interface FrameSummary {
  /** Long, wide, or another table. */
  shape: FrameShape;
  /** Number of rows. */
  rows: number;
  /** The columns, in order. */
  columns: {
    /** Name of the column. */
    name: string;
    /** The Arrow type. */
    type: string;
    /** Number of null rows. */
    nulls: number;
  }[];
  /** Series, each in its units, that have a row or a column. */
  series: number;
  /** Of the column buffers. */
  bytes: number;
  /** The units of the values. */
  units: readonly Unit[];
  /** With licence and citation. */
  sources: readonly Source[];
  /** ISO 8601 UTC; null, as `api_host` and `report`, where the frame carries no provenance. */
  retrieved_at: string | null;
  /** The service that the figures were retrieved from. */
  api_host: string | null;
  /** The selections and flags of the retrieval. */
  asked: unknown;
  /** What became of the retrieved series. */
  report: ReportSummary | null;
  /** How the figures were computed from those retrieved, step by step; empty where they are as retrieved. */
  derived: readonly string[];
}

/** How many series of a retrieval have rows, are empty, or failed. */
export interface ReportSummary {
  /** Series that were requested. */
  series: number;
  /** Series with rows. */
  data: number;
  /** Series without rows. */
  empty: number;
  /** Series that failed. */
  failed: number;
  /** Series of which the service has more than it sent. */
  truncated: number;
  /** Rows of all series. */
  rows: number;
  /** Points left out of a wide frame because another one of the series ends on the same date. */
  dropped_duplicates: number;
}

/** What a frame's schema, buffers and provenance tell; the figures are not read. */
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
    asked: provenance?.asked ?? null,
    report: provenance === null ? null : summariseReport(provenance.report),
    derived: derivationSteps(table),
  };
}

/** The type of a column in a few letters. */
export function typeName({ type }: Field): string {
  if (DataType.isTimestamp(type)) return type.timezone ? `timestamp ${type.timezone}` : 'timestamp';
  if (DataType.isDictionary(type)) return 'dictionary';
  return String(type).toLowerCase();
}

/** Bytes of the buffers under a frame; a dictionary that batches share counts once. */
export function frameBytes(table: Table): number {
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
  const summary = {
    series: report.length,
    data: 0,
    empty: 0,
    failed: 0,
    truncated: 0,
    rows: 0,
    dropped_duplicates: 0,
  };
  for (const entry of report) {
    summary[entry.outcome]++;
    if (entry.truncated) summary.truncated++;
    summary.rows += entry.rows;
    summary.dropped_duplicates += entry.dropped_duplicates ?? 0;
  }
  return summary;
}
