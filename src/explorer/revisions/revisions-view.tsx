import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { plotRevisions } from '../../charts/revisions.js';
import type { LongFrame } from '../../frame/table/frame-types.js';
import { selectSeries } from '../../frame/verbs/select-series.js';
import { type SeriesKey, seriesKeyText } from '../../model/series.js';
import { ChartPicture } from '../chart/chart-picture.js';
import { NothingChosen } from '../chart/chart-view.js';
import { Select } from '../fields/select.js';
import { Failure } from '../parts/failure.js';
import { Loading } from '../parts/loading.js';
import { seriesName } from '../state/names.js';
import { page } from '../state/page.js';
import { useTaken } from '../take/taken.js';
import { AsOfSlider } from './as-of-slider.js';
import { history } from './history.js';
import { takenVintages } from './taken-vintages.js';
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
  useTaken(() => takenVintages(series, frame, all), [frame, all]);
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
