import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { plotRevisions } from '../../charts/revisions.js';
import type { LongFrame } from '../../frame/table/frame-types.js';
import { selectSeries } from '../../frame/verbs/select-series.js';
import { type SeriesKey, seriesKeyText } from '../../model/series.js';
import { ChartPicture } from '../chart/chart-picture.js';
import { NothingChosen } from '../chart/chart-view.js';
import { Select } from '../controls/fields.js';
import { Failure, Loading } from '../controls/waiting.js';
import { type Exported, useExported } from '../export/exported.js';
import { nameOf, seriesName } from '../state/names.js';
import { page } from '../state/page.js';
import { history } from '../state/points.js';
import { EMPTY_STATE, requestOf } from '../state/view-state.js';
import { AsOfSlider } from './as-of-slider.js';
import { TriangleTable } from './triangle-table.js';

/** How the values of a series moved from report to report: as a fan, and as a table with a column for each vintage. */
export function RevisionsView() {
  const { series } = page.value;
  const chosen = useSignal('');
  const { value, error, isLoading } = history.loaded.value;
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
      {error !== null && (
        <Failure error={error} what="The vintages could not be loaded." onRetry={history.retry} />
      )}
      {value === null && isLoading && <Loading what="Loading every vintage" onCancel={history.cancel} />}
      {value !== null && <OneSeries key={seriesKeyText(one)} series={one} all={value.table} />}
    </>
  );
}

function OneSeries({ series, all }: { series: SeriesKey; all: LongFrame }) {
  const frame = useMemo(() => selectSeries(all, series), [all, seriesKeyText(series)]);
  useExported(() => exportedVintages(series, frame, all), [frame, all]);
  if (frame.numRows === 0) return <p class="notice">This series has no points.</p>;
  return (
    <>
      <ChartPicture
        version={`${frame.numRows}`}
        make={(size) => plotRevisions(frame, size)}
        emptyText="No value of this series has the date of a report: there is one vintage of each."
      />
      <TriangleTable frame={frame} />
    </>
  );
}

/** Every vintage of the shown series, and of all chosen ones. */
export function exportedVintages(shown: SeriesKey, own: LongFrame, all: LongFrame): Exported {
  const { series, unit } = page.peek();
  const { metric_id, item_id, region_id } = shown;
  return {
    title: `vintages ${nameOf('metric', metric_id)} ${nameOf('item', item_id)} ${nameOf('region', region_id)}`,
    shown: own,
    whole: series.length > 1 ? all : null,
    labels: { shown: 'Every vintage of this series', whole: 'Every vintage of the chosen series' },
    cited: own,
    request: { ...requestOf(EMPTY_STATE), series: [shown], unit, vintages: true },
    names: [seriesName(shown)],
    notes: [],
  };
}
