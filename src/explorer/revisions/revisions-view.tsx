import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { countReports, plotRevisions, revisionHeadline } from '../../charts/revisions.js';
import type { LongFrame } from '../../frame/frame.js';
import { type SeriesKey, seriesKeyOf, seriesKeyText } from '../../model/series.js';
import { formatDay, parseTime } from '../../model/time.js';
import { ChartFigure } from '../chart/figure.js';
import { Select } from '../controls/fields.js';
import { countText, formatNumber, formatPeriod, formatShortDate, WRITE } from '../controls/format.js';
import { ValueTable } from '../controls/value-table.js';
import { ViewControls } from '../controls/view-controls.js';
import { Awaited } from '../controls/waiting.js';
import { type Exported, useExported } from '../export/exported.js';
import { namesOf, seriesName } from '../state/names.js';
import { page, whileShown } from '../state/page.js';
import { fetchPoints } from '../state/points.js';
import { resource } from '../state/resource.js';
import { ask } from '../state/service.js';
import { EMPTY_STATE, requestOf } from '../state/view-state.js';
import { AsOfSlider } from './as-of-slider.js';
import { triangleOf, vintagesOf } from './vintages.js';

const MAX_SOURCES = 12;

/**
 * All vintages of the chosen series, and of series from other sources with the same metric, item and region as the
 * first chosen series. Series with this metric, item and region come first, sorted by the number of reports.
 */
const revised = resource(
  whileShown('revisions', () => {
    const { series, unit } = page.value;
    return series.length === 0 ? null : { series, unit };
  }),
  async ({ series, unit }, signal) => {
    const { source_id: _, frequency_id: __, ...figure } = series[0]!;
    const same = await ask((client) => client.getDataSeries(figure, { signal }), signal);
    const keys = new Map([...series, ...same].map((one) => [seriesKeyText(one), seriesKeyOf(one)]));
    const all = [...keys.values()].slice(0, Math.max(series.length, MAX_SOURCES));
    const { table } = await fetchPoints({ series: all, unit, vintages: true }, signal);
    const counted = all.map((key) => ({ key, reports: countReports(table.selectSeries(key)) }));
    const figureText = (key: SeriesKey) => seriesKeyText({ ...key, source_id: 0, frequency_id: 0 });
    const isSame = (key: SeriesKey) => figureText(key) === figureText(series[0]!);
    const [ofFigure, others] = [true, false].map((wanted) =>
      counted.filter(({ key }) => isSame(key) === wanted),
    );
    return { table, counted: [...ofFigure!.sort((a, b) => b.reports - a.reports), ...others!] };
  },
);

/** Renders a series' revisions as a chart, and as a table with a column for each vintage. */
export function RevisionsView() {
  const chosen = useSignal('');
  return (
    <>
      <AsOfSlider />
      <Awaited resource={revised} failure="The vintages could not be loaded." loading="Loading every vintage">
        {({ table, counted }) => {
          // The source with the most reports is shown first, because a source with one report for each value has
          // no revisions.
          const one = counted.find(({ key }) => seriesKeyText(key) === chosen.value) ?? counted[0]!;
          const text = seriesKeyText(one.key);
          return (
            <>
              {counted.length > 1 && (
                <ViewControls>
                  <Select
                    label="Series"
                    value={text}
                    options={counted.map(({ key, reports }) => [
                      seriesKeyText(key),
                      `${seriesName(key)} (${countText(reports, 'report')})`,
                    ])}
                    onChange={(wanted) => (chosen.value = wanted)}
                  />
                </ViewControls>
              )}
              <OneSeries key={text} series={one.key} all={table} />
            </>
          );
        }}
      </Awaited>
    </>
  );
}

function OneSeries({ series, all }: { series: SeriesKey; all: LongFrame }) {
  const frame = useMemo(() => all.selectSeries(series), [all, seriesKeyText(series)]);
  useExported(() => exportVintages(series, frame, all), [frame, all]);
  if (frame.numRows === 0) return <p class="notice">This series has no points.</p>;
  return (
    <>
      <ChartFigure
        parts={[frame]}
        make={(size) => {
          const { title, subtitle } = plotRevisions(frame, size).figure;
          const texts = { title: revisionHeadline(frame, WRITE), subtitle: `${title} · ${subtitle}` };
          return plotRevisions(frame, { ...size, ...texts });
        }}
        emptyText="The values in this series have no reporting dates, so there is only one vintage of each."
      />
      <TriangleTable frame={frame} />
    </>
  );
}

/** Exports all vintages of the shown series and of all chosen series. */
function exportVintages(shown: SeriesKey, own: LongFrame, all: LongFrame): Exported {
  const { series, unit } = page.peek();
  return {
    title: `vintages ${namesOf(shown).slice(0, 3).join(' ')}`,
    shown: own,
    whole: series.length > 1 ? all : null,
    labels: { shown: 'Every vintage of this series', whole: 'Every vintage of the chosen series' },
    cited: own,
    request: { ...requestOf(EMPTY_STATE), series: [shown], unit, vintages: true },
    names: [seriesName(shown)],
  };
}

const MAX_VINTAGES = 12;

/** Renders a row for each period and a column for each vintage. Changes from the previous vintage are marked. */
function TriangleTable({ frame }: { frame: LongFrame }) {
  const days = useMemo(() => [...new Set(vintagesOf(frame).dates.map(formatDay))], [frame]);
  const { rows, unit, days: shown } = useMemo(() => triangleOf(frame, days.slice(-MAX_VINTAGES)), [frame]);
  if (days.length === 0) return null;
  const vintages = `${days.length > shown.length ? `the latest ${shown.length} of ` : ''}${countText(days.length, 'vintage')}`;
  return (
    <ValueTable
      className="triangle"
      isLastFirst
      caption={`${countText(rows.length, 'period')} in ${vintages}${unit && `, ${unit}`}. Marked values differ from the previous vintage; an empty cell means that the value was not yet known.`}
      heads={['Period', ...shown.map((day) => formatShortDate(parseTime(day, 'day')))]}
      rows={rows}
      order={rows}
      rowOf={({ start, end, values }) => [
        formatPeriod(start, end),
        ...values.map((value, at) => {
          const before = values[at - 1];
          if (value === undefined) return '';
          const text = Number.isNaN(value) ? formatNumber(value) : WRITE.exact(value);
          return before === undefined || Object.is(value, before) ? text : <mark>{text}</mark>;
        }),
      ]}
    />
  );
}
