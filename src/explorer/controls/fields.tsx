import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { isDay } from '../../model/time.js';
import { type EntityKind, nameOf } from '../state/names.js';
import { dateHint, readDay, readDayOfYear, WRITE } from './format.js';

const SAMPLE_DAY = Date.UTC(2012, 6, 31);

interface Control<Value> {
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

export function Field({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label class="select">
      <span>{label}</span>
      {children}
    </label>
  );
}

/** Renders a number field. An empty field means null. */
export function NumberField({ label, value, onChange }: Control<number | null>) {
  // While the user types, results of other fields do not replace the text.
  const typed = useSignal<string | null>(null);
  return (
    <Field label={label}>
      <input
        type="number"
        class="number-field"
        step="any"
        value={typed.value ?? value ?? ''}
        onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
        onBlur={() => (typed.value = null)}
        onChange={({ currentTarget: { valueAsNumber } }) => {
          typed.value = null;
          onChange(Number.isNaN(valueAsNumber) ? null : valueAsNumber);
        }}
      />
    </Field>
  );
}

/** Renders a date field (see `readDay`). Empty means null. A date outside `min` to `max` is replaced, with a hint. */
export function DateField(
  props: Control<string | null> & {
    min?: string;
    max?: string;
    /** The day to which a year or a month is converted: its first or its last. */
    edge?: 'first' | 'last';
    /** The months in which years such as `2012/13` can begin. */
    months?: readonly number[];
  },
) {
  const { min = '', max = '9999-12-31', edge, months, ...field } = props;
  return (
    <DayField
      {...field}
      placeholder="2012-07-31"
      example={`2012, ${months?.length ? '2012/13, ' : ''}2012-07-31, or ${WRITE.shortDay(SAMPLE_DAY)}`}
      read={(text) => (text === '' ? null : readDay(text, navigator.languages, edge, months))}
      limit={(day) => day && (day < min ? min : day > max ? max : day)}
    />
  );
}

/** Renders a field for a day of the year, such as `04-15`, `4/15` or `April 15`. */
export function SeasonDayField(field: Control<string>) {
  return (
    <DayField
      {...field}
      placeholder="MM-DD"
      example={`07-31, or ${WRITE.periodOfYear(SAMPLE_DAY, SAMPLE_DAY)}`}
      read={(text) => readDayOfYear(text, navigator.languages)}
    />
  );
}

/** Renders a text field for a day. Shows a hint if the text is not a day, or if `limit` replaced the day. */
function DayField<Day extends string | null>(
  props: Control<Day> & {
    placeholder: string;
    example: string;
    read: (text: string) => Day | undefined;
    limit?: (day: Day) => Day;
  },
) {
  const { label, value, placeholder, example, read, limit = (day) => day, onChange } = props;
  // Keeps the text, which may be empty, until the user has finished typing.
  const typed = useSignal<string | null>(null);
  // The hint disappears once the field no longer has the value that the hint is about.
  const said = useSignal({ text: '', of: value });
  const hint = said.value.of === value ? said.value.text : '';
  const hintId = useId();
  const take = (text: string) => {
    const day = read(text.trim());
    const held = day === undefined ? value : limit(day);
    const problem = held === day ? '' : `${day} is out of range; ${held} is used.`;
    said.value = {
      text: day === undefined ? dateHint(text, navigator.languages, example) : problem,
      of: held,
    };
    if (held !== value) onChange(held);
    return day !== undefined;
  };
  const finish = (event: { currentTarget: HTMLInputElement }) => {
    if (typed.value !== null && take(event.currentTarget.value)) typed.value = null;
  };
  return (
    <label class="date-field">
      {label}
      <input
        type="text"
        autocomplete="off"
        placeholder={placeholder}
        aria-invalid={hint !== '' && typed.value !== null}
        aria-describedby={hint === '' ? undefined : hintId}
        value={typed.value ?? value ?? ''}
        // A complete ISO date takes effect immediately. So does clearing the field, if the field may be empty.
        onInput={({ currentTarget: { value: text } }) => {
          typed.value = text;
          if (text === '' ? read('') !== undefined : isDay(text)) take(text);
        }}
        onChange={finish}
        onBlur={finish}
      />
      <span id={hintId} class="date-hint" role="status">
        {hint}
      </span>
    </label>
  );
}

/** Renders a drop-down list. An option is either a value that is shown as is, or a pair of a value and its text. */
export function Select<const Value extends string | number | null>(
  props: Control<Value> & { options: readonly (Value | readonly [value: Value, text: string])[] },
) {
  const { label, value, options, onChange } = props;
  const pairs = options.map((one) => (Array.isArray(one) ? one : [one, String(one)])) as [Value, string][];
  return (
    <Field label={label}>
      <select
        value={String(value)}
        onChange={(event) => onChange(pairs[event.currentTarget.selectedIndex]![0])}
      >
        {pairs.map(([one, text]) => (
          <option key={one} value={String(one)}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** Renders a drop-down list of entities. The current entity is listed even if it is not one of the choices. */
export function IdSelect(
  props: Control<number | null> & {
    kind: EntityKind;
    choices: readonly { readonly id: number; readonly name: string }[];
  },
) {
  const { kind, choices, ...control } = props;
  const { value } = control;
  const isListed = value === null || choices.some(({ id }) => id === value);
  const listed = isListed ? choices : [{ id: value, name: nameOf(kind, value) }, ...choices];
  const options = listed.map(({ id, name }) => [id, name] as const);
  const none = choices.length === 0 ? 'none listed' : `choose one of ${WRITE.number(choices.length)}`;
  return <Select<number | null> {...control} options={[[null, none], ...options]} />;
}
