import { formatNumber, plural } from '../parts/format.js';
import { TableBox } from '../table/table-box.js';
import type { Seasons } from './seasons.js';

/** The total and the coverage of every season, the latest first. */
export function SeasonTable({ seasons: { seasons } }: { seasons: Seasons }) {
  return (
    <TableBox>
      <table class="values">
        <caption>
          {plural(seasons.length, 'season')}. A day without both values counts zero, so a total of low
          coverage is too low; the band of what is usual leaves such seasons out.
        </caption>
        <thead>
          <tr>
            <th scope="col">Season</th>
            <th scope="col">Degree days (°C·day)</th>
            <th scope="col">Days with both values</th>
            <th scope="col">Coverage</th>
          </tr>
        </thead>
        <tbody>
          {[...seasons].reverse().map(({ label, interval, total, days, days_counted, coverage, isWhole }) => (
            <tr key={label}>
              <th scope="row">
                {interval?.start_date} – {interval?.end_date}
              </th>
              <td class="number">{formatNumber(Math.round(total * 10) / 10)}</td>
              <td class="number">
                {formatNumber(days_counted)} of {formatNumber(days)}
              </td>
              <td class="number">
                {formatNumber(Math.round(coverage * 1000) / 10)} %{isWhole ? '' : ' · not whole'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  );
}
