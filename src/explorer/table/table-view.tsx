import { NothingChosen, Problems } from '../chart/chart-view.js';
import { Awaited } from '../controls/waiting.js';
import { page } from '../state/page.js';
import { shown } from '../state/points.js';
import { PeriodTable } from './period-table.js';

/** Renders the shown values, a row for each period and a column for each series. */
export function TableView() {
  if (page.value.series.length === 0) return <NothingChosen />;
  return (
    <Awaited resource={shown} failure="The table cannot be shown." loading="Loading the points">
      {() => (
        <>
          <Problems />
          <PeriodTable />
        </>
      )}
    </Awaited>
  );
}
