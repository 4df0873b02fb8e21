import type { Table } from 'apache-arrow';
import { derivationSteps, readProvenance } from '../../frame/table/provenance.js';
import { frameShape } from '../../frame/table/series-view.js';
import { ArgumentError } from '../../model/errors.js';
import type { PointFlags } from '../../model/point.js';
import type { Provenance } from '../../model/provenance.js';
import { SERIES_KEY_FIELDS } from '../../model/series.js';
import type { SavedSeries } from '../saved-series.js';
import type { RowIdentity } from './merge-points.js';

/** The query that a frame was retrieved by, from its provenance. */
export interface FrameQuery {
  readonly series: readonly SavedSeries[];
  readonly flags: PointFlags & { readonly unit_id?: number | undefined };
  readonly index_by_series: boolean;
  readonly include_names: boolean;
  readonly provenance: Provenance;
}

/** The flags of a retrieval that its provenance keeps. */
export const FLAGS = [
  'start_date',
  'end_date',
  'available_since',
  'reporting_history',
  'show_revisions',
  'complete_history',
  'show_available_date',
  'show_metadata',
  'at_time',
  'include_historical',
  'unit_id',
] as const;

/** @throws ArgumentError when the table is not a long frame of saved series, or its values are derived */
export function readFrameQuery(table: Table): FrameQuery {
  const provenance = readProvenance(table);
  const asked = provenance?.asked;
  if (frameShape(table) === 'wide')
    throw cannotRefresh(
      'a wide frame lacks the start and reporting dates that identify revisions; refresh the long frame, or call getDf again',
    );
  if (provenance === null || frameShape(table) !== 'long' || !isAsked(asked))
    throw cannotRefresh('its metadata does not list its series; pass a long frame from getDf');
  if (derivationSteps(table).length > 0)
    throw cannotRefresh('its values are computed from another frame; refresh that one');
  const { series, index_by_series, include_names } = asked;
  const flags = Object.fromEntries(
    FLAGS.flatMap((flag) => (asked[flag] === undefined ? [] : [[flag, asked[flag]]])),
  );
  return {
    series,
    flags,
    index_by_series: index_by_series === true,
    include_names: include_names === true,
    provenance,
  };
}

/** The columns that identify a row. @throws ArgumentError when the frame lacks one of them */
export function rowIdentity({ flags }: FrameQuery): RowIdentity {
  if (flags.complete_history === true) {
    if (flags.show_available_date === true) return 'vintage';
    throw cannotRefresh('a complete history needs available dates; call getDf with show_available_date');
  }
  return flags.reporting_history === true || flags.show_revisions === true ? 'reporting' : 'period';
}

type Asked = { series: SavedSeries[] } & Record<string, unknown>;

function isAsked(value: unknown): value is Asked {
  if (typeof value !== 'object' || value === null) return false;
  const { series } = value as { series?: unknown };
  return Array.isArray(series) && series.every(isKeyed);
}

function isKeyed(series: unknown): boolean {
  if (typeof series !== 'object' || series === null) return false;
  return SERIES_KEY_FIELDS.every((field) => Number.isSafeInteger((series as Record<string, unknown>)[field]));
}

/** The error of a frame that cannot be refreshed. */
export function cannotRefresh(why: string): ArgumentError {
  return new ArgumentError('table', `table: cannot be refreshed: ${why}`);
}
