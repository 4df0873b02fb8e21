import { monthNumber, monthStart } from '../model/calendar.js';
import { DAY_MS } from '../model/time.js';
import type { ChartTick } from './chart-spec.js';
import { MONTH_NAMES } from './season-axis.js';

type Step = { readonly days: number } | { readonly months: number };

/** Ascending. */
const STEPS: readonly Step[] = [
  { days: 1 },
  { days: 2 },
  { days: 7 },
  { days: 14 },
  { months: 1 },
  { months: 2 },
  { months: 3 },
  { months: 6 },
  { months: 12 },
  { months: 24 },
  { months: 60 },
  { months: 120 },
  { months: 240 },
  { months: 600 },
];

/** At most `max` ticks on round dates between two times in UTC milliseconds. */
export function timeTicks([from, to]: readonly [number, number], max: number): ChartTick[] {
  const step = STEPS.find((candidate) => (to - from) / stepMs(candidate) < max) ?? STEPS.at(-1)!;
  return 'days' in step ? dayTicks(from, to, step.days) : monthStepTicks(from, to, step.months);
}

function stepMs(step: Step): number {
  return DAY_MS * ('days' in step ? step.days : step.months * 30.436875);
}

function dayTicks(from: number, to: number, days: number): ChartTick[] {
  const ticks: ChartTick[] = [];
  for (let at = Math.ceil(from / DAY_MS) * DAY_MS; at <= to; at += days * DAY_MS) {
    const date = new Date(at);
    ticks.push({ at, text: `${date.getUTCDate()} ${MONTH_NAMES[date.getUTCMonth()]}` });
  }
  return ticks;
}

/** Ticks by months; January is labelled with the year. */
function monthStepTicks(from: number, to: number, months: number): ChartTick[] {
  const ticks: ChartTick[] = [];
  for (let month = Math.ceil(monthNumber(from) / months) * months; ; month += months) {
    const at = monthStart(month);
    if (at > to) return ticks;
    if (at >= from)
      ticks.push({ at, text: month % 12 === 0 ? String(month / 12) : MONTH_NAMES[month % 12]! });
  }
}
