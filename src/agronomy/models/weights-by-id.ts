import type { ServiceClient } from '../../client/client.js';
import { findRegionSeries } from '../../client/discovery/region-series.js';
import { ArgumentError, badArgument } from '../../model/errors.js';
import type { Cancellable } from '../../model/progress.js';
import { cropWeightingOperations } from './crop-weighting.js';
import { weightsFrame } from './weights-frame.js';

/** The ids of a crop, a metric and regions, and the years to average (by default, the last ten years with data). */
interface WeightsRequest extends Cancellable {
  readonly crop: number;
  readonly metric: number;
  readonly regions: readonly number[];
  readonly from: number | null;
  readonly to: number | null;
  readonly at_time?: string | undefined;
}

const WEIGHT_YEARS = 10;

/** Computes weights for the ids in a link to the weights page, and also returns the years, names and options used. */
export async function weightsById(
  client: ServiceClient,
  { crop, metric, regions, from, to, at_time, signal }: WeightsRequest,
) {
  const names = await namesById(client, { item: crop, metric, signal });
  const findYears = async () => {
    const series = await findRegionSeries(client, { ...names, region_ids: regions, signal });
    const yearsOf = (field: 'start_date' | 'end_date') =>
      [...series.values()].flatMap(({ [field]: date }) => (date ? Number(date.slice(0, 4)) : []));
    const [starts, ends] = [yearsOf('start_date'), yearsOf('end_date')];
    if (ends.length > 0) return [Math.min(...starts), Math.max(...ends)] as const;
    throw badArgument(
      'regions',
      `none of the regions has ${names.metric} data for ${names.item}; choose regions that do`,
    );
  };
  const last = to ?? (await findYears())[1];
  const first = from ?? last - WEIGHT_YEARS + 1;
  if (first > last)
    throw badArgument('from', `the first year, ${first}, is after the last year, ${last}`, {
      remedy: 'choose an earlier first year',
    });
  const options = { regions, at_time, start_date: `${first}-01-01`, end_date: `${last}-12-31` };
  const { explainWeights } = cropWeightingOperations(client);
  const explaining = explainWeights(names.item, names.metric, { ...options, signal });
  const explained = await explaining.catch(async (cause) => {
    if (!(cause instanceof ArgumentError)) throw cause;
    const [start, end] = await findYears();
    if (first <= end && last >= start) throw cause;
    const problem = `the regions have no ${names.metric} values for ${names.item} from ${first} to ${last}`;
    throw badArgument('from', `${problem}; they have some from ${start} to ${end}`, { cause });
  });
  return { explained, table: weightsFrame(explained), years: [first, last] as const, names, options };
}

/** Looks up the names of an item and a metric. @throws NotFoundError if either does not exist */
export async function namesById(
  client: ServiceClient,
  { item, metric, signal }: Cancellable & { item: number; metric: number },
) {
  const [{ name: itemName }, { name: metricName }] = await Promise.all([
    client.lookup('items', item, { signal }),
    client.lookup('metrics', metric, { signal }),
  ]);
  return { item: itemName, metric: metricName };
}
