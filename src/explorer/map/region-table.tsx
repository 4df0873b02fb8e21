import { useSignal } from '@preact/signals';
import type { SeriesKey } from '../../model/series.js';
import { formatNumber, plural } from '../controls/format.js';
import { Pager, TableBox } from '../controls/table-box.js';
import { toggleSeries } from '../find/matching.js';
import type { RegionValue } from './map-values.js';

const ROWS_PER_PAGE = 25;

/** The values of the map as a table, highest first; here too, each region is drawn or removed. */
export function RegionTable({
  values,
  unit,
  chosen,
  subject,
}: {
  values: readonly RegionValue[];
  unit: string;
  chosen: ReadonlySet<number>;
  subject: SeriesKey;
}) {
  const at = useSignal(0);
  const sorted = [...values].sort(
    (a, b) => (b.value ?? Number.NEGATIVE_INFINITY) - (a.value ?? Number.NEGATIVE_INFINITY),
  );
  const from = Math.min(at.value, Math.floor(Math.max(0, sorted.length - 1) / ROWS_PER_PAGE)) * ROWS_PER_PAGE;
  return (
    <details class="known">
      <summary>The same as a table ({plural(values.length, 'region')})</summary>
      <TableBox>
        <table class="values">
          <thead>
            <tr>
              <th scope="col">Region</th>
              <th scope="col">{unit === '' ? 'Value' : `Value, ${unit}`}</th>
              <th scope="col">Drawn</th>
            </tr>
          </thead>
          <tbody>
            {sorted.slice(from, from + ROWS_PER_PAGE).map(({ region, value, isOlder }) => (
              <tr key={region.id}>
                <th scope="row">{region.name}</th>
                <td class="number">
                  {formatNumber(value)}
                  {isOlder && ' (earlier)'}
                </td>
                <td>
                  <input
                    type="checkbox"
                    aria-label={`Draw ${region.name}`}
                    checked={chosen.has(region.id)}
                    onChange={() => toggleSeries({ ...subject, region_id: region.id })}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
      <Pager
        total={sorted.length}
        perPage={ROWS_PER_PAGE}
        at={from / ROWS_PER_PAGE}
        onPage={(next) => (at.value = next)}
      />
    </details>
  );
}
