import { NothingChosen, Problems } from '../chart/chart-view.js';
import { Failure, Loading } from '../controls/waiting.js';
import { page } from '../state/page.js';
import { points, shown } from '../state/points.js';
import { PeriodTable } from './period-table.js';

/** The shown values, a row for each period and a column for each series. */
export function TableView() {
  const { value, error, isLoading } = shown.value;
  if (page.value.series.length === 0) return <NothingChosen />;
  if (error !== null)
    return <Failure error={error} what="The table cannot be shown." onRetry={points.retry} />;
  if (value === null)
    return isLoading ? <Loading what="Loading the points" onCancel={points.cancel} /> : null;
  return (
    <>
      <Problems />
      <PeriodTable />
    </>
  );
}
