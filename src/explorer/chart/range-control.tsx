import { DAY_MS, formatDay, parseTime } from '../../model/time.js';
import { DateField } from '../fields/date-field.js';
import { formatDate } from '../parts/format.js';
import { choose, drag, page } from '../state/page.js';

/** The dates that are shown: two thumbs over all dates, and the same as typed dates. */
export function RangeControl({ extent }: { extent: { readonly fromMs: number; readonly toMs: number } }) {
  const first = Math.floor(extent.fromMs / DAY_MS);
  const last = Math.floor(extent.toMs / DAY_MS);
  const { from, to } = page.value;
  const clamp = (day: number) => Math.min(last, Math.max(first, day));
  const low = from === null ? first : clamp(parseTime(from, 'day') / DAY_MS);
  const high = to === null ? last : clamp(parseTime(to, 'day') / DAY_MS);
  const rangeOf = (next: { low: number; high: number }) => ({
    from: next.low <= first ? null : formatDay(next.low * DAY_MS),
    to: next.high >= last ? null : formatDay(next.high * DAY_MS),
  });
  const thumb = (label: string, value: number, next: (day: number) => { low: number; high: number }) => (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={formatDate(value * DAY_MS)}
      min={first}
      max={last}
      value={value}
      onInput={(event) => drag(rangeOf(next(Number(event.currentTarget.value))))}
    />
  );
  const typed = (label: string, value: string | null, key: 'from' | 'to') => (
    <DateField
      label={label}
      min={formatDay(first * DAY_MS)}
      max={formatDay(last * DAY_MS)}
      value={value ?? formatDay((key === 'from' ? first : last) * DAY_MS)}
      onChange={(day) => {
        const other = key === 'from' ? page.peek().to : page.peek().from;
        const isOrdered = day === null || other === null || (key === 'from' ? day <= other : day >= other);
        if (isOrdered) choose({ [key]: day });
      }}
    />
  );
  return (
    <section class="range" aria-label="Dates shown">
      <div class="thumbs">
        {thumb('First date', low, (day) => ({ low: Math.min(day, high), high }))}
        {thumb('Last date', high, (day) => ({ low, high: Math.max(day, low) }))}
      </div>
      <div class="range-dates">
        {typed('From', from, 'from')}
        {typed('to', to, 'to')}
        <button
          type="button"
          class="quiet"
          disabled={from === null && to === null}
          onClick={() => choose({ from: null, to: null })}
        >
          All dates
        </button>
      </div>
    </section>
  );
}
