import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { shortUnit } from '../../charts/headline.js';
import { chooseRevised, countReports, triangleOf, viewRevisions } from '../../charts/revisions.js';
import type { LongFrame } from '../../frame/frame.js';
import { type SeriesKey, seriesKeyOf, seriesKeyText } from '../../model/series.js';
import { parseTime } from '../../model/time.js';
import { ChartFigure } from '../chart/figure.js';
import { countText, WRITE } from '../controls/format.js';
import { ValueTable } from '../controls/value-table.js';
import { NothingKnown, Select, ViewControls } from '../controls/view-controls.js';
import { Awaited } from '../controls/waiting.js';
import { type Exported, useHeld, viewExport } from '../export/exported.js';
import { nameOf, namesOf, seriesName } from '../state/names.js';
import { page, whileShown } from '../state/page.js';
import { fetchPoints } from '../state/points.js';
import { resource } from '../state/resource.js';
import { ask } from '../state/service.js';
import { distinctSeries, EMPTY_STATE } from '../state/view-state.js';
import type { ViewTable } from '../table/series-table.js';

const MAX_SOURCES = 12;

/** The vintages of the chosen series and of those that differ from the first only in source or frequency. */
const revised = resource(
  whileShown('revisions', () => {
    const { series, unit, asof } = page.value;
    return series.length === 0 ? null : { series, unit, asof };
  }),
  async ({ series, unit, asof }, signal) => {
    const { source_id: _, frequency_id: __, ...figure } = series[0]!;
    const found = await ask((client) => client.getDataSeries(figure, { signal }));
    const ofPartner = found.filter((one) => one.partner_region_id === figure.partner_region_id);
    const same = distinctSeries([series[0]!, ...ofPartner.map(seriesKeyOf)]).slice(0, MAX_SOURCES);
    const all = distinctSeries([...same, ...series]);
    const { table } = await fetchPoints({ series: all, unit, asof, vintages: true }, signal);
    const counted = all.map((key) => {
      const frame = table.selectSeries(key);
      return { key, frame, ...countReports(frame) };
    });
    return { asof, counted, proposed: chooseRevised(counted.slice(0, same.length)) };
  },
);

export function RevisionsView() {
  return (
    <Awaited resource={revised} failure="The reports could not be loaded." loading="Loading every report">
      {(loaded) => <Revisions {...loaded} />}
    </Awaited>
  );
}

function Revisions({ asof, counted, proposed }: NonNullable<typeof revised.loaded.value.value>) {
  const chosen = useSignal('');
  const picked = counted.find((one) => seriesKeyText(one.key) === chosen.value);
  const { key, frame } = picked ?? proposed;
  useHeld(viewExport, () => exportVintages(key, frame, asof), [frame]);
  return (
    <>
      {counted.length > 1 && (
        <ViewControls>
          <Select
            label="Series"
            value={seriesKeyText(key)}
            options={counted.map(({ key, reports }) => [
              seriesKeyText(key),
              `${seriesName(key)} (${countText(reports, 'report')})`,
            ])}
            onChange={(wanted) => (chosen.value = wanted)}
          />
        </ViewControls>
      )}
      {picked === undefined && proposed !== counted[0] && (
        <p class="notice">
          {`${nameOf('source', counted[0]!.key.source_id)} has not revised these values; the reports of ${nameOf('source', key.source_id)} are shown instead.`}
        </p>
      )}
      {frame.numRows === 0 ? (
        <NothingKnown otherwise="This series has no points." />
      ) : (
        <>
          <ChartFigure
            parts={[frame]}
            make={(size) => viewRevisions(frame, { ...size, write: WRITE, asof })}
            emptyText="The values in this series have no reporting dates, so there is only one report of each."
          />
          <TriangleTable frame={frame} />
        </>
      )}
    </>
  );
}

function exportVintages(shown: SeriesKey, own: LongFrame, asof: string | null): Exported {
  const { unit } = page.peek();
  const title = `reports ${namesOf(shown).slice(0, 3).join(' ')}`;
  const label = asof === null ? 'Every report of this series' : 'The reports known then';
  return {
    parts:
      own.numRows === 0 ? [] : [{ label, title, points: own, table: () => vintageTable(triangleOf(own)) }],
    request: { ...EMPTY_STATE, series: [shown], unit, asof, vintages: true },
    names: [seriesName(shown)],
  };
}

/** Returns a table with a column for each vintage, latest first. */
function vintageTable({ shown, rows, unit, figures, isImport }: ReturnType<typeof triangleOf>): ViewTable {
  const columns = shown.map((day) => ({
    name: `${isImport ? 'Known since the import of ' : ''}${WRITE.shortDay(parseTime(day, 'day'))}`,
    fullName: unit === '' ? day : `${day} (${shortUnit(unit)})`,
    figures,
  }));
  return {
    columns: [{ name: 'Period' }, ...columns.reverse()],
    rows: rows.map(({ start, end, values }) => [{ start, end }, ...[...values].reverse()]),
  };
}

const MAX_VINTAGES = 12;

function TriangleTable({ frame }: { frame: LongFrame }) {
  const triangle = useMemo(() => triangleOf(frame, MAX_VINTAGES), [frame]);
  const { total, shown, rows, unit, hasLate } = triangle;
  const reports = `${total > shown.length ? `the latest ${shown.length} of ` : ''}${countText(total, 'report')}`;
  return (
    <ValueTable
      {...vintageTable(triangle)}
      isOfVintages
      caption={`${countText(rows.length, 'period')} in ${reports}${unit && `, ${unit}`}. Marked values differ from the one before them in the row; an empty cell means that the report did not state the value.${hasLate ? ' Columns have the dates of the reports. “As known at the end of” goes by when each became available, which was later.' : ''}`}
    />
  );
}
