import { isDay } from '../state/url-codecs.js';

/** While a year is typed, the field holds the years 2, 20 and 202 before 2021. */
const FIRST_DAY = '1000-01-01';

/** A field for a day `YYYY-MM-DD`; empty for none. Days of a year that is still being typed do not count. */
export function DateField({
  label,
  value,
  min,
  max,
  onChange,
}: {
  label: string;
  value: string | null;
  min?: string | undefined;
  max?: string | undefined;
  onChange: (day: string | null) => void;
}) {
  return (
    <label class="date-field">
      {label}
      <input
        type="date"
        min={min}
        max={max}
        value={value ?? ''}
        onChange={(event) => {
          const { value: day, validity } = event.currentTarget;
          if (day === '' && !validity.badInput) onChange(null);
          else if (isDay(day) && day >= FIRST_DAY) onChange(day);
        }}
      />
    </label>
  );
}
