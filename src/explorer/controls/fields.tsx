import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { formatDay, isDay } from '../../model/time.js';
import { readDay, readDayIn, readDayOfYear, WRITE } from './format.js';

const SAMPLE_DAY = Date.UTC(2012, 6, 31);

export interface Control<Value> {
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
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
    /** The day whose year completes days such as `4/15`; by default, the field's day or today. */
    latest?: string | undefined;
  },
) {
  const { min = '', max = '9999-12-31', edge, months, latest, ...field } = props;
  const { languages } = navigator;
  const near = latest ?? field.value ?? formatDay(Date.now());
  return (
    <DayField
      {...field}
      placeholder="2012-07-31"
      example={`2012, ${months?.length ? '2012/13, ' : ''}2012-07-31, or ${WRITE.shortDay(SAMPLE_DAY)}`}
      read={(text) =>
        text === '' ? null : (readDay(text, languages, edge, months) ?? readDayIn(near, text, languages))
      }
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
    said.value = { text: day === undefined ? `Enter a date such as ${example}.` : problem, of: held };
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

/** Renders a button. If there is a reason why it cannot be used, it has no effect and shows the reason on hover and focus. */
export function ActionButton(props: {
  reason: string | null;
  onClick: () => unknown;
  children: ComponentChildren;
}) {
  const { reason, onClick, children } = props;
  const id = useId();
  const isUsable = reason === null;
  return (
    <span class="action">
      <button
        type="button"
        // The button stays focusable, unlike a disabled one, so that the reason can be reached with the keyboard.
        aria-disabled={!isUsable}
        aria-describedby={isUsable ? undefined : id}
        onClick={() => isUsable && void onClick()}
      >
        {children}
      </button>
      {!isUsable && (
        <span id={id} class="reason quiet-text">
          {reason}
        </span>
      )}
    </span>
  );
}
