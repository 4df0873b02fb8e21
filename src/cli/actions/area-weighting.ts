import { rankSeries } from '../../compute/found-series.js';
import type { AreaSeries, AreaWeightedSeries } from '../../contract/requests/area-weighting.js';
import { fromRows } from '../../frame/formats/from-rows.js';
import type { MatchedName } from '../../model/entity.js';
import { groupedBy } from '../../model/grouping.js';
import type { DataSeries } from '../../model/series.js';
import { parsePeriod } from '../../model/time.js';
import { frequencyIds, matchWords, warnOfNames } from '../choice/names.js';
import { seriesTitle } from '../choice/series-choice.js';
import type { AREA_WEIGHTING } from '../commands/retrieval.js';
import { type Asking, type ClientContext, createAction } from '../connection/with-client.js';
import type { InputValues } from '../options/flags.js';
import { EXIT, NothingFoundError } from '../terminal/exit-codes.js';
import { type CommandContext, remark, warnOfAll } from '../terminal/io.js';
import { type Frame, outputFormat, writeFrame } from '../terminal/write-frame.js';

type AreaWeightingOptions = InputValues<typeof AREA_WEIGHTING.takes>;

export const weightByArea = createAction(async (context, options: AreaWeightingOptions) => {
  const format = outputFormat(context, options);
  const names = await resolveNames(context, options);
  const regions = new Map(names.regions.map(({ id, name }) => [id, name]));
  const region_ids = [...regions.keys()];
  const { client, signal } = context;
  const { frequency, start_date, end_date, method } = options;
  const frequency_id = frequencyIds(frequency);
  const choices: AreaChoice[] = [{ ...names.weighted, frequency_id, start_date, end_date }, ...names.weights];
  const chosen = await Promise.all(choices.map((choice) => chooseAcrossRegions(context, choice, region_ids)));
  await remark(context, chosen.map(titleAcrossRegions).join('\nweighted by '));
  const [series, ...weights] = chosen.map(areaSeriesOf);
  const dates = { start_date, end_date };
  const request = { series: series!, weights, method, region_ids, ...dates, signal };
  const answer = await client.getAreaWeightedSeries(request);
  await warnOfMissing(context, answer, regions);
  const unit = await unitText(context, answer, method);
  await writeFrame(context, frameOf(answer, unit), { ...options, format });
});

/** Resolves all names to ids, and warns about guessed and ambiguous names. */
async function resolveNames(
  context: ClientContext,
  { metric, item, weight, region, source }: AreaWeightingOptions,
) {
  const pairs = [{ item, metric }, ...weight.map((text) => readWeight(text, item))];
  const words = {
    metric: pairs.map((pair) => pair.metric),
    item: pairs.map((pair) => pair.item),
    region,
    source,
  };
  const found = await matchWords(context, words);
  const matched = pairs.map((_, at) => ({ item: found.item[at]!, metric: found.metric[at]! }));
  await warnOfNames(context, [
    ...matched.map((matched) => ({ matched })),
    ...found.region.map((region) => ({ matched: { region } })),
  ]);
  const [weighted, ...weights] = matched;
  const source_id = source === undefined ? undefined : found.source.map(({ id }) => id);
  return { weighted: { ...weighted!, source_id }, weights, regions: found.region };
}

function readWeight(text: string, item: string): Pick<AreaWeightingOptions, 'item' | 'metric'> {
  const colon = text.indexOf(':');
  return colon === -1
    ? { item, metric: text }
    : { item: text.slice(0, colon).trim(), metric: text.slice(colon + 1).trim() };
}

function titleAcrossRegions({ region_name: _, ...series }: DataSeries): string {
  return seriesTitle(series);
}

/** Warns about regions without data or without a weight. @throws NothingFoundError if there are no points */
async function warnOfMissing(
  context: CommandContext,
  { data_points, regions_without_data = [], regions_without_weight = [] }: AreaWeightedSeries,
  names: ReadonlyMap<number, string>,
): Promise<void> {
  if (data_points.length === 0)
    throw new NothingFoundError('there are no points in this period; choose another period');
  const nameOf = (id: number) => names.get(id) ?? String(id);
  await warnOfAll(context, [
    ...regions_without_data.map((id) => `${nameOf(id)} has no data`),
    ...regions_without_weight.map((id) => `${nameOf(id)} has no value to weight by, so its weight is 0`),
  ]);
  if (regions_without_data.length + regions_without_weight.length > 0) context.exitCode = EXIT.partialData;
}

/** Returns the unit of the result, which for a sum includes the weights' units, or null if any unit is missing. */
async function unitText(
  { client, signal }: Asking,
  { series_description, weights_description }: AreaWeightedSeries,
  method: AreaWeightingOptions['method'],
): Promise<string | null> {
  const all = [series_description, ...(method === 'sum' ? weights_description : [])].map(
    ({ unit_id }) => unit_id,
  );
  const ids = all.filter((id) => id !== null);
  if (ids.length < all.length) return null;
  const units = await client.lookup('units', [...new Set(ids)], { signal });
  return ids.map((id) => units[id]?.abbreviation || units[id]?.name || `unit ${id}`).join(' × ');
}

function frameOf({ data_points }: AreaWeightedSeries, unit: string | null): Frame {
  const timeOf = (seconds: number | null | undefined) =>
    seconds === null || seconds === undefined ? null : new Date(seconds * 1000);
  return fromRows(
    data_points.map((point) => ({
      start_date: timeOf(point.start_timestamp),
      end_date: timeOf(point.timestamp),
      value: point.value,
      unit,
      weight_present: point.weight_present ?? null,
      available_date: timeOf(point.available_timestamp),
    })),
  );
}

interface AreaChoice extends Pick<AreaWeightingOptions, 'start_date' | 'end_date'> {
  readonly source_id?: readonly number[] | undefined;
  readonly frequency_id?: number | undefined;
  readonly metric: MatchedName;
  readonly item: MatchedName;
}

/**
 * Chooses the series with the best coverage for a metric and an item, among the combinations of source and frequency
 * that have data for the largest number of regions.
 * @throws NothingFoundError if no region has such a series
 */
async function chooseAcrossRegions(
  { client, signal }: Asking,
  { metric, item, start_date, end_date, ...restriction }: AreaChoice,
  region_ids: readonly number[],
): Promise<DataSeries> {
  const selection = { ...restriction, metric_id: metric.id, item_id: item.id, region_id: [...region_ids] };
  const listed = await client.getDataSeries(selection, { signal });
  const ofWorld = listed.filter((series) => series.partner_region_id === 0);
  const groups = [
    ...groupedBy(ofWorld, ({ source_id, frequency_id }) => `${source_id} ${frequency_id}`).values(),
  ];
  const max = Math.max(...groups.map(regionCount));
  const widest = groups.filter((group) => regionCount(group) === max).flat();
  const wanted = parsePeriod({ start_date, end_date });
  const [best] = rankSeries(widest, wanted);
  if (best === undefined)
    throw new NothingFoundError(
      `no data series for ${item.name}, ${metric.name} is available in these regions; choose other regions, or another metric or item`,
    );
  return best;
}

function areaSeriesOf({ item_id, metric_id, frequency_id, source_id }: DataSeries): AreaSeries {
  return { item_id, metric_id, frequency_id, source_id };
}

function regionCount(group: readonly DataSeries[]): number {
  return new Set(group.map(({ region_id }) => region_id)).size;
}
