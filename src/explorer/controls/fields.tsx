import { useSignal } from '@preact/signals';
import { type ComponentChildren, toChildArray } from 'preact';
import { useId } from 'preact/hooks';
import { levelName } from '../../model/entity.js';
import { groupedBy } from '../../model/grouping.js';
import { isDay } from '../../model/time.js';
import { type EntityKind, nameOf } from '../state/names.js';
import { countText, dateHint, readDay, readDayOfYear, WRITE } from './format.js';
import { isWide } from './media.js';

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

/** Renders a button. If there is a reason why it cannot be used, it has no effect and shows the reason on hover and focus. */
export function ActionButton(props: {
  reason: string | null;
  onClick: () => unknown;
  children: ComponentChildren;
  isCurrent?: boolean;
}) {
  const { reason, onClick, children, isCurrent } = props;
  const id = useId();
  const isUsable = reason === null;
  return (
    <span class="action">
      <button
        type="button"
        // The button stays focusable, unlike a disabled one, so that the reason can be reached with the keyboard.
        aria-disabled={!isUsable}
        aria-describedby={isUsable ? undefined : id}
        aria-current={isCurrent}
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

/** Regions grouped by level, so that no region is shown together with its parts. The largest group comes first. */
export type Levels<Region> = readonly (readonly [level: number | null, regions: readonly Region[]])[];

export function levelsOf<Region>(
  regions: readonly Region[],
  levelOf: (region: Region) => number | null,
): Levels<Region> {
  return [...groupedBy(regions, levelOf)].sort(([, a], [, b]) => b.length - a.length);
}

/** Returns the regions of the chosen level (initially one that `fits`), and a list of levels if there are several. */
export function useLevel<Region>(levels: Levels<Region>, fits: (regions: readonly Region[]) => boolean) {
  const chosen = useSignal<number | null | undefined>(undefined);
  const found =
    levels.find(([level]) => level === chosen.value) ?? levels.find(([, regions]) => fits(regions));
  const [shown, regions] = found ?? levels[0] ?? [null, []];
  const select = levels.length > 1 && (
    <Select<number | null>
      label="Level"
      value={shown}
      options={levels.map(([level, { length }]) => [
        level,
        `${levelName(level) ?? 'no level'}: ${countText(length, 'region')}`,
      ])}
      onChange={(level) => (chosen.value = level)}
    />
  );
  return { regions, select };
}

/** Renders a view's controls in a row. On narrow screens, only the first is in the row; the others are in a drawer. */
export function ViewControls(props: {
  children: ComponentChildren;
  /** The controls that are always in the drawer, whatever the screen width. */
  more?: ComponentChildren;
}) {
  const controls = toChildArray(props.children);
  const inRow = isWide.value ? controls.length : 1;
  const inDrawer = [...controls.slice(inRow), ...toChildArray(props.more)];
  return (
    <div class="view-controls">
      <div class="control-row">{controls.slice(0, inRow)}</div>
      {inDrawer.length > 0 && (
        <details class="drawer">
          <summary>More</summary>
          <div class="drawer-body">{inDrawer}</div>
        </details>
      )}
    </div>
  );
}
