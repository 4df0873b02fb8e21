import { MAX_SERIES_PER_REQUEST } from '../contract/endpoints.js';
import { NDJSON } from '../contract/wire-names.js';
import type { SelectionLists } from '../model/selection.js';
import { type DatedSeries, SERIES_KEY_FIELDS } from '../model/series.js';
import { formatTime } from '../model/time.js';
import type { StoredSeries, VintageDates } from '../store/plan.js';
import { mapInTurns } from '../store/turns.js';
import type { Handlers, ServiceContext } from './handler.js';
import { joinTexts } from './http/answers.js';
import { byteStream } from './http/stream.js';
import { tooManySeries } from './points/plan-points.js';
import { readPointSelection, readSelection } from './selection.js';

const MAX_SERIES_PER_LINE = 10_000;

export const seriesHandlers = {
  seriesList: async ({ query, signal }, service) => {
    const data: DatedSeries[] = [];
    for await (const batch of namedSeries(service, readSelection(query), signal)) data.push(...batch);
    return { data };
  },

  seriesStream: async ({ query, signal }, service) => {
    const lines = seriesLines(namedSeries(service, readSelection(query), signal));
    return new Response(byteStream(lines), { headers: { 'content-type': NDJSON } });
  },

  vintages: async ({ query, signal }, { store }) => {
    const plan = { selection: readPointSelection(query) };
    const series: StoredSeries[] = [];
    for await (const batch of store.series(plan, { signal })) {
      series.push(...batch);
      if (series.length > MAX_SERIES_PER_REQUEST) throw tooManySeries();
    }
    const { points, available, reporting } = await store.vintages({ series, limit: query.limit }, { signal });
    const data = {
      series: series.length,
      points,
      available_dates: await listDates(available),
      reporting_dates: await listDates(reporting),
      more: {
        available_dates: available.total - available.dates.length,
        reporting_dates: reporting.total - reporting.dates.length,
      },
    };
    return { data };
  },
} satisfies Partial<Handlers>;

/** Encodes series as lines, each a JSON array. Each batch is sent as soon as it has been read. */
async function* seriesLines(batches: AsyncIterable<readonly DatedSeries[]>): AsyncGenerator<string> {
  let count = 0;
  function* encodeBatch(batch: readonly DatedSeries[]): Generator<string> {
    for (const series of batch) {
      const begin = count++ % MAX_SERIES_PER_LINE === 0 ? '[' : ',';
      yield begin + JSON.stringify(series) + (count % MAX_SERIES_PER_LINE === 0 ? ']\n' : '');
    }
  }
  for await (const batch of batches) yield* joinTexts([encodeBatch(batch)]);
  if (count % MAX_SERIES_PER_LINE > 0) yield ']\n';
}

async function* namedSeries(
  service: ServiceContext,
  selection: SelectionLists,
  signal: AbortSignal,
): AsyncGenerator<DatedSeries[]> {
  const cache = await service.series();
  for await (const batch of service.store.series({ selection }, { signal })) {
    cache.add(batch);
    yield await withNames(service, batch);
  }
}

export async function withNames(
  { names }: ServiceContext,
  batch: readonly StoredSeries[],
): Promise<DatedSeries[]> {
  const nameOf = await names.ofFields(batch, SERIES_KEY_FIELDS);
  const historical = await names.historicalRegions();
  return mapInTurns(batch, (series) => ({
    metric_id: series.metric_id,
    metric_name: nameOf('metric_id', series),
    item_id: series.item_id,
    item_name: nameOf('item_id', series),
    region_id: series.region_id,
    region_name: nameOf('region_id', series),
    partner_region_id: series.partner_region_id,
    partner_region_name: nameOf('partner_region_id', series),
    frequency_id: series.frequency_id,
    frequency_name: nameOf('frequency_id', series),
    source_id: series.source_id,
    source_name: nameOf('source_id', series),
    start_date: formatTime(series.startMs),
    end_date: formatTime(series.endMs),
    data_count_estimate: series.pointCount,
    metadata: {
      includes_historical_region:
        historical.has(series.region_id) || historical.has(series.partner_region_id),
    },
  }));
}

function listDates({ dates }: VintageDates): Promise<{ date: string; points: number }[]> {
  return mapInTurns(dates, ({ ms, points }) => ({ date: formatTime(ms), points }));
}
