import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { isDay } from '../../model/time.js';
import { type EntityKind, nameOf } from '../state/names.js';
import { formatNumber, formatShortDate, readDay } from './format.js';

const SAMPLE_DAY = Date.UTC(2012, 6, 31);

export function Field({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label class="select">
      <span>{label}</span>
      {children}
    </label>
  );
}

export function FindField({ label, text }: { label: string; text: Signal<string> }) {
  return (
    <Field label={label}>
      <input type="search" value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
    </Field>
  );
}

/** Renders a number field. An empty field means null. */
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

/**
 * Renders a date field. An empty field means null. The field accepts `2012-07-01`, `2012`, `July 2012` and the date
 * format of the reader's language, and shows a hint if it cannot read the text.
 */
export function DateField({
  label,
  value,
  min = '',
  max = '9999-12-31',
  edge = 'first',
  onChange,
}: {
  label: string;
  value: string | null;
  min?: string | undefined;
  max?: string | undefined;
  /** Whether a year or a month is converted to its first or its last day. */
  edge?: 'first' | 'last';
  onChange: (day: string | null) => void;
}) {
  // Keeps the text if the page is rendered again while the user is typing.
  const typed = useSignal<string | null>(null);
  const isWrong = useSignal(false);
  const hintId = useId();
  const take = (text: string) => {
    const day = text.trim() === '' ? null : readDay(text, navigator.languages, edge);
    isWrong.value = day === undefined;
    if (day === undefined) return;
    typed.value = null;
    if (day === value) return;
    onChange(day && (day < min ? min : day > max ? max : day));
  };
  return (
    <label class="date-field">
      {label}
      <input
        type="text"
        inputMode="text"
        autocomplete="off"
        placeholder="2012-07-31"
        aria-invalid={isWrong.value}
        aria-describedby={isWrong.value ? hintId : undefined}
        value={typed.value ?? value ?? ''}
        // A complete ISO date takes effect immediately.
        onInput={(event) => {
          const { value: text } = event.currentTarget;
          typed.value = text;
          if (text === '' || isDay(text)) take(text);
        }}
        onChange={(event) => take(event.currentTarget.value)}
      />
      {isWrong.value && (
        <span id={hintId} class="date-hint" role="alert">
          Enter a date such as 2012, 2012-07-31, or {formatShortDate(SAMPLE_DAY)}.
        </span>
      )}
    </label>
  );
}

export function Select<const Value extends string | number | null>({
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
      <select
        value={String(value)}
        onChange={(event) => onChange(options[event.currentTarget.selectedIndex]![0])}
      >
        {options.map(([one, text]) => (
          <option key={one} value={String(one)}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** Renders a drop-down list of entities. The current entity is listed even if it is not one of the choices. */
export function IdSelect({
  label,
  kind,
  value,
  choices,
  onChange,
}: {
  label: string;
  kind: EntityKind;
  value: number | null;
  choices: readonly { readonly id: number; readonly name: string }[];
  onChange: (id: number | null) => void;
}) {
  const isListed = value === null || choices.some(({ id }) => id === value);
  const listed = isListed ? choices : [{ id: value, name: nameOf(kind, value) }, ...choices];
  return (
    <Select
      label={label}
      value={value}
      options={[
        [null, `choose one of ${formatNumber(choices.length)}`],
        ...listed.map(({ id, name }) => [id, name] as const),
      ]}
      onChange={onChange}
    />
  );
}
