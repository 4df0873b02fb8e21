import { useSignal } from '@preact/signals';
import { type ComponentChildren, toChildArray } from 'preact';
import { useEffect } from 'preact/hooks';
import { levelName } from '../../model/entity.js';
import { groupedBy } from '../../model/grouping.js';
import { type EntityKind, nameOf } from '../state/names.js';
import { choose, page } from '../state/page.js';
import { fetchPoints, transformPoints } from '../state/points.js';
import { announce } from './announce.js';
import type { Control } from './fields.js';
import { countText, WRITE } from './format.js';
import { isWide } from './media.js';

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
  const none = choices.length === 0 ? 'none listed' : `choose one of ${WRITE.number(choices.length)}`;
  const options = [[null, none] as const, ...listed.map(({ id, name }) => [id, name] as const)];
  return <Select<number | null> {...control} options={options} />;
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

const NO_RANGE = { from: null, to: null };

/**
 * Says why no values are shown, and offers to remove the cause: the as-of date, or the range of dates. The as-of date is
 * the cause if the latest data have values in the range. If neither is the cause, says `otherwise`.
 */
export function NothingKnown({ otherwise = 'The chosen series have no values.' }: { otherwise?: string }) {
  const { series, unit, asof, view, from, to } = page.value;
  const range = view === 'revisions' ? NO_RANGE : { from, to };
  const isOfRange = range.from !== null || range.to !== null;
  const isOfAsof = useSignal<boolean | null>(null);
  useEffect(() => {
    const request = new AbortController();
    isOfAsof.value = asof === null ? false : null;
    if (asof !== null)
      fetchPoints({ series, unit }, request.signal)
        .then((latest) => transformPoints(latest, { ...page.peek(), ...range }).lines.length > 0)
        .catch(() => true)
        .then((hasLatest) => {
          if (!request.signal.aborted) isOfAsof.value = hasLatest;
        });
    return () => request.abort();
  }, [series, unit, asof, range.from, range.to]);
  const dated = isOfRange ? ' on these dates' : '';
  const later = asof === null ? '.' : `, not even after ${asof}.`;
  const ofRange = isOfRange ? `The chosen series have no values${dated}${later}` : otherwise;
  const text = isOfAsof.value ? `No values${dated} were known yet at the end of ${asof}.` : ofRange;
  useEffect(() => announce(isOfAsof.value === null ? '' : text), [isOfAsof.value, text]);
  if (isOfAsof.value === null) return null;
  return (
    <p class="notice">
      {text}{' '}
      {(isOfAsof.value || isOfRange) && (
        <button type="button" onClick={() => choose(isOfAsof.value ? { asof: null } : NO_RANGE)}>
          Show {isOfAsof.value ? 'the latest values' : 'all dates'}
        </button>
      )}
    </p>
  );
}
