import type { ComponentChildren } from 'preact';
import { isDay } from '../state/url.js';

/** A control with its label before it. */
export function Field({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label class="select">
      <span>{label}</span>
      {children}
    </label>
  );
}

/** A field for a number; empty for none. */
export function NumberField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number | null;
  onChange: (value: number | null) => void;
}) {
  return (
    <Field label={label}>
      <input
        type="number"
        class="number-field"
        step="any"
        value={value ?? ''}
        onChange={(event) => {
          const text = event.currentTarget.value;
          const given = Number(text);
          if (text === '') onChange(null);
          else if (Number.isFinite(given)) onChange(given);
        }}
      />
    </Field>
  );
}

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

/** A labelled choice of one of some words. */
export function Select<const Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, text: string])[];
  onChange: (value: Value) => void;
}) {
  return (
    <Field label={label}>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}
