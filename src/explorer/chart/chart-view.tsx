import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { isAnnual } from '../../charts/lines.js';
import { isConvertible } from '../../compute/units.js';
import { dateParts } from '../../model/calendar.js';
import {
  aggregationNames,
  canBeSummed,
  EVERY,
  type Formula,
  HOWS,
  MEAN_PERIODS,
  SCALES,
  type Scale,
} from '../../model/chart-choices.js';
import { MAX_NOTE_LENGTH, type Note, readNotes, writeNotes } from '../../model/chart-notes.js';
import { splitUnit, type Unit } from '../../model/entity.js';
import { formatDay, parseTime } from '../../model/time.js';
import { DateField } from '../controls/fields.js';
import { WRITE } from '../controls/format.js';
import { Field, NothingKnown, NumberField, Select, ViewControls } from '../controls/view-controls.js';
import { Awaited } from '../controls/waiting.js';
import { lookUp, nameOf } from '../state/names.js';
import { bindState, choose, drag, page } from '../state/page.js';
import { points, type Shown, shown } from '../state/points.js';
import { resource } from '../state/resource.js';
import { ask, loadClient } from '../state/service.js';
import { Figure } from './figure.js';

export function ChartView() {
  useEffect(() => {
    // Loads the drawing code after the client, which sends the first request. The first chart reports load errors.
    loadClient()
      .then(() => import('./drawing.js'))
      .catch(() => {});
  }, []);
  return (
    <>
      <ViewControls more={<Notes />}>
        <ShowSelect />
        <PeriodSelects />
        <UnitSelect />
      </ViewControls>
      <Awaited resource={shown} failure="The chart cannot be drawn." loading="Loading the points">
        {(value) => (
          <>
            {value.lines.length > 0 ? <Figure shown={value} /> : <NothingKnown />}
            {value.whole.length > 0 && <RangeControl lines={value.whole} />}
          </>
        )}
      </Awaited>
    </>
  );
}

const NO_NOTE: Note = { from: null, to: null, value: null, text: '' };

/** Renders the editor for the lines and bands that the user adds to the chart. They are saved in the link. */
function Notes() {
  const { notes } = page.value;
  const draft = useSignal(NO_NOTE);
  const bind = <Key extends keyof Note>(key: Key) => ({
    value: draft.value[key],
    onChange: (value: Note[Key]) => (draft.value = { ...draft.value, [key]: value }),
  });
  const all = [...notes, { ...draft.value, text: draft.value.text.trim() }];
  const add = (event: SubmitEvent) => {
    event.preventDefault();
    choose({ notes: all });
    draft.value = NO_NOTE;
  };
  return (
    <details class="known" open={notes.length > 0}>
      <summary>Notes on the chart{notes.length > 0 && ` (${notes.length})`}</summary>
      <form class="controls" onSubmit={add}>
        <DateField label="On, or from" {...bind('from')} />
        <DateField label="to" edge="last" {...bind('to')} />
        <NumberField label="or at the value" {...bind('value')} />
        <Field label="Text">
          <input
            type="text"
            maxLength={MAX_NOTE_LENGTH}
            value={draft.value.text}
            onInput={(event) => bind('text').onChange(event.currentTarget.value)}
          />
        </Field>
        <button type="submit" disabled={readNotes(writeNotes(all)) === undefined}>
          Add
        </button>
      </form>
      <ul class="notes">
        {notes.map((note, at) => (
          <li key={at}>
            {note.text || 'No text'}{' '}
            <span class="quiet-text">
              {note.value ?? [note.from, note.to].filter((day) => day !== null).join(' to ')}
            </span>
            <button
              type="button"
              class="quiet"
              aria-label={`Remove ${note.text}`}
              onClick={() => choose({ notes: notes.filter((_, i) => i !== at) })}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

const SCALE_TEXTS: Readonly<Record<Scale, string>> = {
  auto: 'Automatic',
  normal: 'Values',
  zero: 'Values from zero',
  log: 'Values, logarithmic axis',
  smooth: 'Values and 31-day mean',
  mean: 'Mean of several periods',
  usual: 'Latest year against others',
  index: 'Index (first value = 100)',
  change: 'Year-on-year change',
  yoy: 'Year-on-year change (%)',
  season: 'Years overlaid',
};

function ShowSelect() {
  const { scale, formula } = page.value;
  const { fitting } = shown.loaded.value.value ?? {};
  const scales = SCALES.filter((one) => one === scale || (fitting?.scales.includes(one) ?? true));
  const formulas = fitting?.formulas ?? (formula === 'none' ? [] : [[formula, 'a formula of two series']]);
  return (
    <Select<Scale | Formula>
      label="Show"
      value={formula === 'none' ? scale : formula}
      options={[...scales.map((one) => [one, SCALE_TEXTS[one]] as const), ...formulas]}
      onChange={(chosen) => {
        const chosenScale = SCALES.find((one) => one === chosen);
        choose({ scale: chosenScale ?? 'auto', formula: chosenScale ? 'none' : (chosen as Formula) });
      }}
    />
  );
}

function PeriodSelects() {
  const { scale, every, how, periods } = page.value;
  const { lines = [], fitting } = shown.loaded.value.value ?? {};
  const longer = EVERY.filter((one) => one === every || (fitting?.longer.includes(one) ?? true));
  return (
    <>
      {scale === 'mean' && (
        <NumberField
          label="Periods"
          value={periods}
          onChange={(count) => choose({ periods: Math.max(2, Math.round(count ?? MEAN_PERIODS)) })}
        />
      )}
      <Select label="Every" {...bindState('every')} options={[[null, 'stored period'], ...longer]} />
      {every !== null && (
        <Select
          label="By"
          {...bindState('how')}
          options={[
            [null, how === null && lines.length > 0 ? `default: ${aggregationNames(lines)}` : 'default'],
            ...HOWS.filter((one) => one !== 'sum' || one === how || lines.every(canBeSummed)),
          ]}
        />
      )}
    </>
  );
}

/** The units to which the shown values can be converted; none if metrics differ. Requested after the points. */
const allowed = resource(
  () => {
    const loaded = points.loaded.value.value;
    const [first, ...others] = loaded === null ? [] : page.value.series;
    if (first === undefined || others.some(({ metric_id }) => metric_id !== first.metric_id)) return null;
    const { metric_id, item_id } = first;
    return { metric_id, item_id, units: loaded!.units };
  },
  async ({ metric_id, item_id, units }, signal) => {
    const ids = await ask((client) => client.getAllowedUnits(metric_id, item_id, { signal }));
    const found = await lookUp('unit', ids, signal);
    const item = nameOf('item', item_id).toLowerCase();
    // A unit for another crop, such as a bushel of soybeans for corn, would convert values using the weight of the
    // wrong crop. Values in thousands of acres are shown in acres.
    const isSuitable = ({ id, abbreviation }: Unit) => {
      const [, crop = ''] = /\((\D*)\)$/.exec(abbreviation) ?? [];
      if (splitUnit(abbreviation).unit !== abbreviation) return false;
      return item.includes(crop) || units.some((unit) => unit.id === id);
    };
    return ids.filter((id) => {
      const to = found[id];
      return to !== undefined && isSuitable(to) && units.every((unit) => isConvertible(unit, to));
    });
  },
);

function UnitSelect() {
  const { unit } = page.value;
  const ids = allowed.loaded.value.value ?? [];
  if (ids.length < 2 && unit === null) return null;
  const options = unit === null || ids.includes(unit) ? ids : [...ids, unit];
  return (
    <Select
      label="Unit"
      {...bindState('unit')}
      options={[[null, 'as reported'], ...options.map((id) => [id, nameOf('unit', id)] as const)]}
    />
  );
}

/** Renders the choice of dates. The sliders stop only where periods begin or end, so that no period is cut in two. */
function RangeControl({ lines }: { lines: Shown['whole'] }) {
  const stopsOf = (edge: 'start' | 'end') =>
    Float64Array.from(new Set(lines.flatMap((line) => [...line[edge]]))).sort();
  const [starts, ends] = useMemo(() => [stopsOf('start'), stopsOf('end')] as const, [lines]);
  const [first, last] = [formatDay(starts[0]!), formatDay(ends.at(-1)!)];
  const { from, to } = page.value;
  const [start, end] = [from ?? first, to ?? last];
  const [low, high] = [parseTime(start, 'from'), parseTime(end, 'to')];
  // The months in which the marketing years of the series begin.
  const begun = lines.filter(isAnnual).map((line) => dateParts(line.start[0]!).month);
  const months = begun.filter((month) => month > 1);
  const field = { min: first, max: last, months, latest: end };
  const thumb = (label: string, stops: Float64Array, at: number, rangeTo: (day: string) => object) => (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={WRITE.day(stops[at]!)}
      max={stops.length - 1}
      value={at}
      onInput={(event) => drag(rangeTo(formatDay(stops[Number(event.currentTarget.value)]!)))}
    />
  );
  return (
    <section class="range" aria-label="Dates shown">
      <div class="thumbs">
        {thumb(
          'First date',
          starts,
          starts.findLastIndex((ms, at) => ms <= low || at === 0),
          (day) => ({
            from:
              day === first ? null : day < end ? day : formatDay(starts.findLast((ms) => ms <= high) ?? high),
          }),
        )}
        {thumb(
          'Last date',
          ends,
          ends.findIndex((ms) => ms >= high || ms === ends.at(-1)),
          (day) => ({
            to: day === last ? null : day > start ? day : formatDay(ends.find((ms) => ms >= low) ?? low),
          }),
        )}
      </div>
      <div class="range-dates">
        <DateField label="From" {...bindState('from')} {...field} value={start} max={end} />
        <DateField label="to" {...bindState('to')} {...field} value={end} min={start} edge="last" />
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
