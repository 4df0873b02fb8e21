import { formatDay } from '../../model/time.js';
import type { Chart } from '../chart.js';
import { type ChartTexts, singlePanel } from '../chart-texts.js';
import { dataOf, TIME_AXIS, valueScale } from '../lines/line-layers.js';
import { timesOf } from '../lines/line-rows.js';
import { COLOURS } from '../theme.js';

/** The reports of one period, in the order in which they were made. */
interface PeriodReports {
  readonly label: string;
  readonly reports: readonly { readonly saidMs: number; readonly value: number }[];
}

/** A step for each report of each period: a figure holds until the next report. */
export function reportChart(
  periods: readonly PeriodReports[],
  texts: ChartTexts & { title: string; axis: string },
): Chart {
  const labels = periods.map(({ label }) => label);
  const rows = periods.flatMap(({ reports }, s) =>
    reports.map(({ saidMs, value }) => ({ s, t: saidMs, v: value })),
  );
  const last = periods.map(({ label, reports }) => {
    const [first, final] = [reports[0]!, reports.at(-1)!];
    return `${label} from ${first.value} (${formatDay(first.saidMs)}) to ${final.value} (${formatDay(final.saidMs)})`;
  });
  const scale = valueScale(rows.map(({ v }) => v));
  const y = { field: 'v', type: 'quantitative', scale, axis: { title: texts.axis } };
  const color = {
    field: 'label',
    type: 'nominal',
    scale: { domain: labels, range: COLOURS.slice(0, labels.length) },
    legend: { orient: 'top', title: 'Period', titleOrient: 'left' },
  };
  const line = {
    mark: { type: 'line', interpolate: 'step-after', strokeWidth: 1.8, point: { size: 28 } },
    encoding: { x: TIME_AXIS, y, color },
  };
  const description = `${texts.title}: revisions. ${last.join('; ')}.`;
  return singlePanel({ ...texts, description }, () => ({ layer: [line], ...dataOf({ rows, labels }) }), {
    labels,
    times: timesOf(rows),
  });
}
