import { computed } from '@preact/signals';
import { COLOURS, colourAt, QUIET_COLOUR } from '../../charts/theme.js';
import type { LongFrame } from '../../frame/frame.js';
import { type SeriesKey, seriesKeyText } from '../../model/series.js';
import { DAY_MS } from '../../model/time.js';
import { WRITE } from '../controls/format.js';
import { page } from './page.js';
import { derive, resource } from './resource.js';
import { ask, loadClient } from './service.js';
import { type DataRequest, toClientOptions, type ViewState } from './view-state.js';

type Points = Awaited<ReturnType<typeof fetchPoints>>;

/** The points of the chosen series for all dates. Changing the date range therefore requires no request. */
export const points = resource(
  () => {
    const { series, asof, unit } = page.value;
    return series.length === 0 ? null : { series, asof, unit };
  },
  fetchPoints,
  // While points are loading, the previous figure is kept only if all of its series are still chosen.
  {
    keeps: ({ series }, next) =>
      series.every((one) => next.series.map(seriesKeyText).includes(seriesKeyText(one))),
  },
);

/** Retrieves points as a long frame with names and a report of failed series, and loads the code that transforms it. */
export async function fetchPoints(
  { series, ...wanted }: Partial<DataRequest> & Pick<DataRequest, 'series'>,
  signal: AbortSignal,
) {
  const [{ readProvenance }, { getSavedFrame }, shape] = await Promise.all([
    import('../../frame/table/provenance.js'),
    import('../../saved/get-df.js'),
    import('../../charts/transform-frame.js'),
  ]);
  const options = { ...toClientOptions(wanted), include_names: true, allow_partial: true, signal };
  const table = await ask((client) =>
    getSavedFrame(client, series, options).catch((error) => {
      throw error.firstCause ?? error;
    }),
  );
  const { report = [], units = [] } = readProvenance(table) ?? {};
  if (report.length > 0 && report.every(({ outcome }) => outcome === 'failed'))
    throw new Error(report[0]!.reason ?? 'No series could be fetched.');
  return { table: table as LongFrame, report, units, shape };
}

/** Loads the client during the first request, then creates the formatters early, because that is slow in browsers. */
export function preload(): void {
  void loadClient().then(() => setTimeout(() => [WRITE.number(0.5), WRITE.period(0, 2 * DAY_MS)]));
}

export type Shown = ReturnType<typeof transformPoints>;

export function transformPoints({ table, shape }: Points, wanted: ViewState) {
  return { ...shape.transformFrame(table, wanted), fitting: shape.fittingChoices(table, wanted.every) };
}

/** The transformations as JSON, so that the figure is not recomputed if another part of the state changes. */
const choices = computed(() => {
  const { from, to, every, how, scale, formula, periods } = page.value;
  return JSON.stringify({ from, to, every, how, scale, formula, periods });
});

export const shown = derive(points, (value) => transformPoints(value, JSON.parse(choices.value)));

/** Returns a series' colour. If there are more series than colours, each has its own panel and is drawn in grey. */
export function colourOf(wanted: SeriesKey): string {
  const { series } = page.value;
  if (series.length > COLOURS.length) return QUIET_COLOUR;
  return colourAt(series.findIndex((one) => seriesKeyText(one) === seriesKeyText(wanted)));
}
