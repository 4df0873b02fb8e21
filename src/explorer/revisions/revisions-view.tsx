import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { plotRevisions, revisionHeadline } from '../../charts/revisions.js';
import type { LongFrame } from '../../frame/frame.js';

import { type SeriesKey, seriesKeyText } from '../../model/series.js';
import { formatDay, parseTime } from '../../model/time.js';
import { NothingChosen } from '../chart/chart-view.js';
import { ChartFigure } from '../chart/figure.js';
import { Select } from '../controls/fields.js';
import { formatNumber, formatPeriod, formatShortDate, plural, WRITE } from '../controls/format.js';
import { ValueTable } from '../controls/value-table.js';
import { Awaited } from '../controls/waiting.js';
import { type Exported, useExported } from '../export/exported.js';
import { namesOf, seriesName } from '../state/names.js';
import { page } from '../state/page.js';
import { history } from '../state/points.js';
import { EMPTY_STATE, requestOf } from '../state/view-state.js';
import { AsOfSlider } from './as-of-slider.js';
import { triangleOf, vintagesOf } from './vintages.js';

/** How the values of a series moved from report to report: as a fan, and as a table with a column for each vintage. */
export function RevisionsView() {
  const { series } = page.value;
  const chosen = useSignal('');
  if (series.length === 0) return <NothingChosen />;
  const one = series.find((id) => seriesKeyText(id) === chosen.value) ?? series[0]!;
  return (
    <>
      <AsOfSlider />
      {series.length > 1 && (
        <div class="controls">
          <Select
            label="Series"
            value={seriesKeyText(one)}
            options={series.map((id) => [seriesKeyText(id), seriesName(id)])}
            onChange={(text) => (chosen.value = text)}
          />
        </div>
      )}
      <Awaited resource={history} failure="The vintages could not be loaded." loading="Loading every vintage">
        {({ table }) => <OneSeries key={seriesKeyText(one)} series={one} all={table} />}
      </Awaited>
    </>
  );
}

function OneSeries({ series, all }: { series: SeriesKey; all: LongFrame }) {
  const frame = useMemo(() => all.selectSeries(series), [all, seriesKeyText(series)]);
  useExported(() => exportedVintages(series, frame, all), [frame, all]);
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
        emptyText="The values of this series have no reporting dates, so each has one vintage."
      />
      <TriangleTable frame={frame} />
    </>
  );
}

/** Every vintage of the shown series, and of all chosen ones. */
function exportedVintages(shown: SeriesKey, own: LongFrame, all: LongFrame): Exported {
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

/** Columns that can be compared with one another. */
const MAX_VINTAGES = 12;

/** A row for each period, a column for each vintage; values that changed since the vintage before are marked. */
function TriangleTable({ frame }: { frame: LongFrame }) {
  const days = useMemo(() => [...new Set(vintagesOf(frame).dates.map(formatDay))], [frame]);
  const { rows, unit, days: shown } = useMemo(() => triangleOf(frame, days.slice(-MAX_VINTAGES)), [frame]);
  if (days.length === 0) return null;
  const vintages = `${days.length > shown.length ? `the latest ${shown.length} of ` : ''}${plural(days.length, 'vintage')}`;
  return (
    <ValueTable
      className="triangle"
      isLastFirst
      caption={`${plural(rows.length, 'period')} in ${vintages}${unit && `, ${unit}`}. Marked values differ from the vintage before; an empty cell was not known yet.`}
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
