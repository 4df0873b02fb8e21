import type { DegreeDayMethod } from './agronomy/degree-days/plan.js';
import { stationTemperatures } from './agronomy/models/temperature-series.js';
import { weightsById } from './agronomy/models/weights-by-id.js';
import type { Chart } from './charts/chart.js';
import { plotSeasons, seasonsOf } from './charts/degree-day-seasons.js';
import { linesWithValues, withUnitLabel } from './charts/frame-lines.js';
import { measureName } from './charts/headline.js';
import { writerIn } from './charts/language.js';
import { TENTHS, withValues } from './charts/lines.js';
import { latestCommonDate, mapTexts, shapeChart } from './charts/map.js';
import { addZeroBreak, breaksOf, limitsOfAll } from './charts/map-colours.js';
import type { Polygon } from './charts/map-shapes.js';
import { chooseRevised, countReports, viewRevisions } from './charts/revisions.js';
import { transformFrame } from './charts/transform-frame.js';
import { viewChart } from './charts/view-chart.js';
import { drawWeights, weightsHeadline } from './charts/weights.js';
import type { ServiceClient } from './client/client.js';
import { listSurroundings } from './client/surroundings.js';
import { changesBetween } from './compute/changes.js';
import type { ChartQuery } from './contract/requests/chart.js';
import { creditOf } from './frame/display/credit.js';
import type { LongFrame } from './frame/frame.js';
import { frameSeries, seriesNames } from './frame/table/series-view.js';
import { seriesLabels } from './frame/table/short-labels.js';
import { hasTrueZero, isDeparture } from './model/derivations.js';
import { WORLD_REGION_ID } from './model/entity.js';
import { ArgumentError, badArgument, NotFoundError } from './model/errors.js';
import { upperFirst } from './model/names/first-letter.js';
import { ofAnyFrequency, seriesKeyOf, seriesKeyText } from './model/series.js';
import { endOfDay, parseTime } from './model/time.js';
import { getSavedFrame } from './saved/get-df.js';

const WRITE = writerIn(['en-GB']);

/** Functions that draw the explorer page's views from its URL's parameters, with the same headlines as on the page. */
export const VIEW_CHARTS = { chart, map, revisions, 'degree-days': degreeDays, weights } satisfies Record<
  ChartQuery['view'],
  (client: ServiceClient, query: ChartQuery) => Promise<Chart>
>;

const knownBy = ({ asof }: ChartQuery) => ({ at_time: asof === undefined ? undefined : endOfDay(asof) });
const sizeOf = ({ width, height }: ChartQuery) => ({ width, height });

/** Returns the value of a required parameter. @throws ArgumentError if it is missing */
function required<Value>(name: string, value: Value | undefined, problem = 'is missing'): Value {
  if (value === undefined) throw badArgument(name, problem, { remedy: 'copy the link from the page' });
  return value;
}

const firstOf = ({ s }: ChartQuery) => required('s', s?.[0], 'lists no series');

/** Draws the series over time, and names those without values. @throws NotFoundError if no series has values */
async function chart(client: ServiceClient, query: ChartQuery): Promise<Chart> {
  firstOf(query);
  const { s: series = [], asof = null, y: scale, f: formula, n: periods } = query;
  const options = { include_names: true, unit_id: query.unit, ...knownBy(query) } as const;
  const table = (await getSavedFrame(client, series, options)) as LongFrame;
  const { frame, lines, credit } = transformFrame(table, { ...query, scale, formula, periods });
  const drawn = new Set(lines.map(({ place }) => place));
  // The line of a formula has the key of its first series.
  const isFormula = formula !== 'none' && lines.length > 0;
  const missing = isFormula ? [] : series.filter((key) => !drawn.has(ofAnyFrequency(key))).map(seriesKeyText);
  if (lines.length === 0) {
    const known = asof === null ? '' : `, as known at the end of ${asof}`;
    throw new NotFoundError(404, '/v2/chart.svg', `no values on these dates${known}: ${missing.join(', ')}`);
  }
  const views = frameSeries(table);
  const labels = seriesLabels(views.map(seriesNames));
  const labelByKey = new Map(views.map(({ key }, at) => [seriesKeyText(key), labels[at]]));
  const named = missing.map((key) => labelByKey.get(key) ?? key);
  const places = series.map(ofAnyFrequency);
  const remarks = named.length === 0 ? [] : [`Without values: ${named.join(', ')}`];
  try {
    const { width, height, every, notes } = query;
    const look = { width, height, every, notes, scale, credit, asof, places, remarks };
    return viewChart(frame, lines, { ...look, write: WRITE });
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    throw badArgument('s', error.problem, { remedy: error.remedy ?? undefined, cause: error });
  }
}

/** Draws a map of a series and its counterparts in all other regions of the same level, or of their changes. */
async function map(client: ServiceClient, query: ChartQuery): Promise<Chart> {
  const { region_id, ...measure } = firstOf(query);
  const found = await client.getDataSeries(measure);
  const places = await client.lookup('regions', [...new Set(found.map((one) => one.region_id))]);
  const { level } = places[region_id] ?? { level: null };
  const keys = found.filter(
    (one) =>
      places[one.region_id]?.level === level &&
      one.region_id !== WORLD_REGION_ID &&
      one.partner_region_id === measure.partner_region_id,
  );
  const options = { include_names: true, unit_id: query.unit, ...knownBy(query) } as const;
  const [table, shapes, around] = await Promise.all([
    getSavedFrame(client, keys.map(seriesKeyOf), options),
    client.getShapes(
      keys.map((one) => one.region_id),
      { zoom_level: SIMPLE_ZOOM },
    ),
    loadOutlines(client, region_id),
  ]);
  const lines = linesWithValues(table).map(withValues);
  const wanted = query.date === undefined ? undefined : parseTime(query.date, 'date');
  const dates = [...new Set(lines.flatMap(({ end }) => [...end]))].sort((a, b) => a - b);
  const newest = latestCommonDate(lines.map(({ end }) => end));
  const latestUntil = (ms: number) => dates.findLast((date) => date <= ms) ?? dates[0]!;
  const at = wanted === undefined ? newest : latestUntil(wanted);
  const other = query.date2 === undefined ? null : latestUntil(parseTime(query.date2, 'date2'));
  const lineOn = (ms: number) => lines.find(({ end }) => end.includes(ms))!;
  const { metric, unit: storedUnit } = lineOn(at);
  const units = new Set(lines.map(({ unit }) => unit));
  if (units.size > 1)
    throw badArgument('unit', `the values are in different units (${[...units].join(', ')})`, {
      remedy: 'choose one of them',
    });
  const valuesOn = (ms: number) =>
    lines.map(({ key, region, end, value }) => {
      return { id: key.region_id, name: region, value: value[end.indexOf(ms)] ?? null };
    });
  const isPercent = other !== null && query.change === 'percent' && hasTrueZero(storedUnit);
  const values = other === null ? valuesOn(at) : changesBetween(valuesOn(other), valuesOn(at), { isPercent });
  const periods = [other, at].flatMap((ms) => {
    if (ms === null) return [];
    const { start, end } = lineOn(ms);
    return WRITE.period(start[end.indexOf(ms)]!, ms);
  });
  const drawn = values.flatMap(({ id, value }) => {
    const polygons = shapes.get(id)?.geometries.flatMap((one) => one.coordinates) ?? [];
    return polygons.length === 0 ? [] : [{ polygons, value }];
  });
  if (drawn.every(({ value }) => value === null))
    throw badArgument('date', `no region with a known shape has a value for ${periods.join(' and ')}`);
  const all = lines.flatMap(({ value }) => [...value]);
  const knownOf = (some: typeof values) => some.flatMap(({ value }) => value ?? []);
  const known = knownOf(values);
  const isSigned = other !== null || isDeparture(metric);
  const breaks = isSigned
    ? addZeroBreak(breaksOf(known), known)
    : limitsOfAll(all, knownOf(valuesOn(newest)));
  const unit = isPercent ? '%' : storedUnit;
  const texts = mapTexts(values, {
    ...{ names: lineOn(at), unit, periods, write: WRITE, asof: query.asof ?? null },
    figures: isPercent ? TENTHS : all,
    unplaced: [...shapes.values()].filter((shape) => shape === null).length,
    notes: wanted === undefined || wanted === at ? [] : [`no region has a value on ${WRITE.day(wanted)}`],
  });
  const legend = other === null ? withUnitLabel(metric, unit) : `Change, ${unit}`;
  const source = creditOf(table);
  return shapeChart(drawn, { ...sizeOf(query), ...texts, legend, breaks, isSigned, source }, around);
}

/** Loads the polygons of the regions that surround a map. Without a containing region, there are none. */
async function loadOutlines(
  client: ServiceClient,
  region_id: number,
): Promise<readonly (readonly Polygon[])[]> {
  try {
    const ids = await listSurroundings(client, region_id);
    const shapes = await client.getShapes(ids, { zoom_level: SIMPLE_ZOOM });
    return [...shapes.values()].flatMap((shape) =>
      shape === null ? [] : [shape.geometries.flatMap((one) => one.coordinates)],
    );
  } catch (error) {
    if (error instanceof NotFoundError) return [];
    throw error;
  }
}

/** A low zoom level, at which a service simplifies shapes. */
const SIMPLE_ZOOM = 5;

/** Draws the revisions of the first series or, if it has none, of a series that differs only in source or frequency. */
async function revisions(client: ServiceClient, query: ChartQuery): Promise<Chart> {
  const wanted = firstOf(query);
  const { source_id: _, frequency_id: __, ...figure } = wanted;
  const found = await client.getDataSeries(figure);
  // A selection with the world as partner region also has series with other partners.
  const same = found.filter((one) => one.partner_region_id === figure.partner_region_id);
  const options = {
    include_names: true,
    complete_history: true,
    show_available_date: true,
    unit_id: query.unit,
    ...knownBy(query),
  };
  const keys = new Map([wanted, ...same.map(seriesKeyOf)].map((key) => [seriesKeyText(key), key]));
  const frames = await Promise.all([...keys.values()].map((key) => getSavedFrame(client, [key], options)));
  const { table } = chooseRevised(frames.map((table) => ({ table, ...countReports(table) })));
  return viewRevisions(table, { ...sizeOf(query), write: WRITE, asof: query.asof ?? null });
}

/** Draws the accumulated degree days of recent seasons at a place against the usual range. */
async function degreeDays(client: ServiceClient, query: ChartQuery): Promise<Chart> {
  const { gdd_unit: unit, gdd_base: base, gdd_cap: cap = null, gdd_from: from, gdd_to: to } = query;
  const method = query.gdd_method as DegreeDayMethod;
  const found = await stationTemperatures(client, required('gdd', query.gdd), { unit, ...knownBy(query) });
  const made = seasonsOf(found, { unit, base, cap, method, from, to });
  if (made.seasons.length === 0) throw badArgument('gdd', 'its temperatures do not cover any season');
  return plotSeasons(made, WRITE, sizeOf(query));
}

/** Draws the weights of regions for a crop and a metric. */
async function weights(client: ServiceClient, query: ChartQuery): Promise<Chart> {
  const { table, names } = await weightsById(client, {
    crop: required('w_crop', query.w_crop),
    metric: required('w_metric', query.w_metric),
    regions: required('w_regions', query.w_regions),
    from: query.w_from ?? null,
    to: query.w_to ?? null,
    ...knownBy(query),
  });
  const title = weightsHeadline(table, upperFirst(measureName(names)), WRITE);
  return drawWeights(table, { ...sizeOf(query), title }, WRITE);
}
