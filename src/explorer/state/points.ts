import { computed } from '@preact/signals';
import type { LongFrame } from '../../frame/table/frame-types.js';
import type { SeriesReport } from '../../model/report.js';
import type { SeriesKey } from '../../model/series.js';
import { part } from './page.js';
import { endOfDay } from './request.js';
import { resource } from './resource.js';
import { ask, codeOf, loadClient } from './service.js';

/** The points of series, and what became of each series. */
export interface Points {
  /** A long frame with names; without rows where no series has points. */
  readonly table: LongFrame;
  readonly report: readonly SeriesReport[];
}

/** What points are asked for. */
export interface PointsKey {
  readonly series: readonly SeriesKey[];
  readonly asof: string | null;
  readonly unit: number | null;
}

/** The points of the page, of every date, so that the range is brushed without asking again. */
export const points = resource(
  part(({ series, asof, unit }) => (series.length === 0 ? null : { series, asof, unit })),
  async (wanted: PointsKey, signal) => (await knownLocally(wanted)) ?? fetchPoints(wanted, { signal }),
);

/** Every vintage of some series, once it was asked for. */
let held: { readonly key: string; readonly points: Points } | null = null;

/** Keeps every vintage of series, so that what was known on any date is computed here. */
export function holdHistory(wanted: Omit<PointsKey, 'asof'>, loaded: Points): void {
  held = { key: historyKey(wanted), points: loaded };
}

function historyKey({ series, unit }: Omit<PointsKey, 'asof'>): string {
  return JSON.stringify({ series, unit });
}

/** What was known on a date, of vintages that are here already; null where the service is to be asked. */
function knownLocally(wanted: PointsKey): Promise<Points> | null {
  if (wanted.asof === null || held?.key !== historyKey(wanted)) return null;
  const { table, report } = held.points;
  const atMs = Date.parse(endOfDay(wanted.asof));
  return import('../revisions/as-known.js').then(({ asKnown }) => ({ table: asKnown(table, atMs), report }));
}

/** Every vintage of the chosen series, for the slider and the revisions; asked for only where they are shown. */
export function fetchHistory(wanted: Omit<PointsKey, 'asof'>, signal: AbortSignal): Promise<Points> {
  const flags = { complete_history: true, show_available_date: true };
  return fetchPoints({ ...wanted, asof: null }, { signal, flags });
}

async function fetchPoints(
  { series, asof, unit }: PointsKey,
  { signal, flags = {} }: { signal: AbortSignal; flags?: object },
): Promise<Points> {
  const { readProvenance } = await import('../../frame/table/provenance.js');
  const options = {
    ...flags,
    include_names: true,
    at_time: asof === null ? undefined : endOfDay(asof),
    unit_id: unit,
    signal,
  };
  const table = await ask(async (client) => {
    for (const one of series) client.addSingleDataSeries(one);
    try {
      return await client.getDf(options);
    } catch (error) {
      if (codeOf(error) !== 'partial_data') throw error;
    }
    try {
      return await client.getDf({ ...options, allow_partial: true });
    } catch (error) {
      throw (error as { firstCause?: unknown }).firstCause ?? error;
    }
  }, signal);
  const report = readProvenance(table)?.report ?? [];
  if (report.length > 0 && report.every(({ outcome }) => outcome === 'failed'))
    throw new Error(report[0]!.reason ?? 'No series could be fetched.');
  return { table, report };
}

/** The series that could not be fetched, of those that are shown. */
export const failedSeries = computed(() => ofOutcome('failed'));
/** The series without points, of those that are shown. */
export const emptySeries = computed(() => ofOutcome('empty'));

function ofOutcome(wanted: SeriesReport['outcome']): readonly SeriesReport[] {
  return points.loaded.value.value?.report.filter(({ outcome }) => outcome === wanted) ?? [];
}

/** Loads what asks and computes, beside the first view. */
export function preload(): void {
  void loadClient();
}
