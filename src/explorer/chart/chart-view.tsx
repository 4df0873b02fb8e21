import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import type { FittingChoices } from '../../charts/fitting-choices.js';
import {
  aggregationNames,
  canBeSummed,
  EVERY,
  FORMULAS,
  type Formula,
  HOWS,
  MEAN_PERIODS,
  SCALES,
  type Scale,
} from '../../model/chart-choices.js';
import { MAX_NOTE_LENGTH, type Note, readNotes, writeNotes } from '../../model/chart-notes.js';
import { DAY_MS, formatDay, parseTime } from '../../model/time.js';
import { DateField, Field, NumberField, Select } from '../controls/fields.js';
import { formatDate } from '../controls/format.js';
import { isVeryWide } from '../controls/media.js';
import { ViewControls } from '../controls/view-controls.js';
import { Awaited, Lazy } from '../controls/waiting.js';
import { AsOfSlider } from '../revisions/as-of-slider.js';
import { learnNames, nameOf } from '../state/names.js';
import { bindState, choose, drag, page, sliceOf } from '../state/page.js';
import { points, type Shown, shown, wantsHistory } from '../state/points.js';
import { resource } from '../state/resource.js';
import { ask, loadClient } from '../state/service.js';
import type { ViewState } from '../state/view-state.js';
import { Figure } from './figure.js';

export function ChartView() {
  useEffect(loadDrawing, []);
  return (
    <>
      <ViewControls more={<Notes />}>
        <ChartControls />
      </ViewControls>
      <Awaited resource={shown} failure="The chart cannot be drawn." loading="Loading the points">
        {(value) => (
          <>
            {value.lines.length === 0 ? <NoValues /> : <Panes shown={value} />}
            {value.extent !== null && <RangeControl extent={value.extent} />}
          </>
        )}
      </Awaited>
      <WhatWasKnown />
    </>
  );
}

/**
 * Loads the drawing code during the first requests, but after the client, so as not to delay the first request.
 * Failures are reported where the chart is drawn.
 */
function loadDrawing(): void {
  loadClient()
    .then(() => import('./drawing.js'))
    .catch(() => {});
}

const loadTable = () => import('../table/period-table.js').then(({ TableView }): ComponentType => TableView);

/** Renders the chart. On very wide screens, the table is shown beside it. */
function Panes({ shown }: { shown: Shown }) {
  return (
    <div class={isVeryWide.value ? 'panes' : ''}>
      <Figure shown={shown} />
      {isVeryWide.value && (
        <div>
          <Lazy load={loadTable} />
        </div>
      )}
    </div>
  );
}

/** Renders the slider that shows the values as they were known on earlier days. Opening it requests all vintages. */
function WhatWasKnown() {
  const isOpen = useSignal(page.peek().asof !== null);
  return (
    <details
      class="known"
      open={isOpen.value}
      onToggle={(event) => {
        if (event.currentTarget.open) wantsHistory.value = true;
      }}
    >
      <summary>How the figures changed</summary>
      <AsOfSlider />
    </details>
  );
}

const NOTE_KINDS = {
  line: 'a line on a date',
  band: 'a band of dates',
  height: 'a line at a value',
} as const;

/** Renders the editor for the lines and bands that the user adds to the chart. They are saved in the link. */
function Notes() {
  const { notes } = page.value;
  const kind = useSignal<keyof typeof NOTE_KINDS>('line');
  const draft = useSignal<Note>({ from: null, to: null, value: null, text: '' });
  const set = (change: Partial<Note>) => (draft.value = { ...draft.value, ...change });
  const { from, to, value, text } = draft.value;
  const [isBand, isDated] = [kind.value === 'band', kind.value !== 'height'];
  const note: Note = {
    from: isDated ? from : null,
    to: isBand ? to : null,
    value: isDated ? null : value,
    text: text.trim(),
  };
  const isReady = (!isBand || to !== null) && readNotes(writeNotes([...notes, note])) !== undefined;
  const add = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isReady) return;
    choose({ notes: [...notes, note] });
    set({ text: '' });
  };
  return (
    <details class="known" open={notes.length > 0}>
      <summary>Notes on the chart{notes.length > 0 && ` (${notes.length})`}</summary>
      <form class="controls" onSubmit={add}>
        <Select
          label="Draw"
          value={kind.value}
          options={Object.entries(NOTE_KINDS) as [keyof typeof NOTE_KINDS, string][]}
          onChange={(chosen) => (kind.value = chosen)}
        />
        {isDated && (
          <DateField label={isBand ? 'from' : 'on'} value={from} onChange={(day) => set({ from: day })} />
        )}
        {isBand && <DateField label="to" edge="last" value={to} onChange={(day) => set({ to: day })} />}
        {!isDated && <NumberField label="at" value={value} onChange={(height) => set({ value: height })} />}
        <Field label="Text">
          <input
            type="text"
            maxLength={MAX_NOTE_LENGTH}
            value={text}
            onInput={(event) => set({ text: event.currentTarget.value })}
          />
        </Field>
        <button type="submit" disabled={!isReady}>
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

/** Renders advice if the chosen series have no values on the chosen dates. */
function NoValues() {
  const { asof, from, to } = page.value;
  if (asof !== null)
    return (
      <p class="notice">
        No values were known yet at the end of {asof}. Choose a later date, or clear “As known at the end of”.
      </p>
    );
  const where = from === null && to === null ? '' : ' on these dates; widen the range below';
  return <p class="notice">The chosen series have no values{where}.</p>;
}

const SCALE_TEXTS: Readonly<Record<Scale, string>> = {
  auto: 'Automatic',
  normal: 'Values',
  zero: 'Values from zero',
  log: 'Values on a logarithmic axis',
  smooth: '31-day mean over daily values',
  mean: 'Mean of several periods',
  usual: 'Latest year against earlier years',
  index: 'Index (first value = 100)',
  change: 'Change from a year earlier',
  yoy: 'Change from a year earlier (%)',
  season: 'Years overlaid',
};

function ChartControls() {
  const { scale, every, how, axes, periods, formula } = page.value;
  const { lines = [], fitting } = shown.loaded.value.value ?? {};
  const units = new Set(lines.map(({ unit }) => unit));
  const scales = SCALES.filter((one) => one === scale || (fitting?.scales.includes(one) ?? true));
  const known: FittingChoices['formulas'] = fitting?.formulas ?? [];
  const isKnown = formula === 'none' || known.some(([one]) => one === formula);
  const formulas = isKnown ? known : [...known, [formula, 'a formula of two series'] as const];
  return (
    <fieldset class="controls">
      <legend class="visually-hidden">How values are drawn</legend>
      <Select<Scale | Formula>
        label="Show"
        value={formula === 'none' ? scale : formula}
        options={[...scales.map((one) => [one, SCALE_TEXTS[one]] as const), ...formulas]}
        onChange={(chosen) => {
          const isFormula = chosen !== 'none' && FORMULAS.some((one) => one === chosen);
          choose(isFormula ? { formula: chosen as Formula } : { scale: chosen as Scale, formula: 'none' });
        }}
      />
      {scale === 'mean' && (
        <NumberField
          label="Periods"
          value={periods}
          onChange={(count) => choose({ periods: Math.max(2, Math.round(count ?? MEAN_PERIODS)) })}
        />
      )}
      <Select
        label="Every"
        {...bindState('every')}
        options={[[null, 'stored period'], ...EVERY.map((one) => [one, one] as const)]}
      />
      {every !== null && (
        <Select
          label="By"
          {...bindState('how')}
          options={[
            [null, how === null && lines.length > 0 ? `default: ${aggregationNames(lines)}` : 'default'],
            ...HOWS.filter((one) => one !== 'sum' || one === how || lines.every(canBeSummed)).map(
              (one) => [one, one] as const,
            ),
          ]}
        />
      )}
      <UnitSelect />
      {(units.size > 1 || axes === 'one') && (
        <Select
          label="Units"
          {...bindState('axes')}
          options={[
            ['panels', 'one panel each'],
            ['one', 'several axes in one panel'],
          ]}
        />
      )}
    </fieldset>
  );
}

/**
 * The metric and item of the chosen series, or null if their metrics differ. It is also null until the points are
 * loaded, because the points are more urgent.
 */
const measured = sliceOf(({ series }) => {
  const [first] = points.loaded.value.value === null ? [] : series;
  if (first === undefined || series.some(({ metric_id }) => metric_id !== first.metric_id)) return null;
  return { metric_id: first.metric_id, item_id: first.item_id };
});

/** The units to which the chosen series can be converted. */
const allowed = resource(measured, async ({ metric_id, item_id }, signal) => {
  const ids = await ask((client) => client.getAllowedUnits(metric_id, item_id, { signal }), signal);
  if (ids.length === 0) return [];
  const units = await ask((client) => client.lookup('units', ids, { signal }), signal);
  learnNames('unit', Object.values(units));
  return ids;
});

/** Renders the unit selector, or nothing if there is no choice of units. */
function UnitSelect() {
  const { unit } = page.value;
  const ids = allowed.loaded.value.value ?? [];
  if (ids.length < 2 && unit === null) return null;
  const options = [...new Set([...ids, ...(unit === null ? [] : [unit])])];
  return (
    <Select
      label="Unit"
      {...bindState('unit')}
      options={[[null, 'as reported'], ...options.map((id) => [id, nameOf('unit', id)] as const)]}
    />
  );
}

function RangeControl({ extent }: { extent: { readonly fromMs: number; readonly toMs: number } }) {
  const first = Math.floor(extent.fromMs / DAY_MS);
  const last = Math.floor(extent.toMs / DAY_MS);
  const { from, to } = page.value;
  const clamp = (day: number) => Math.min(last, Math.max(first, day));
  const low = from === null ? first : clamp(parseTime(from, 'day') / DAY_MS);
  const high = to === null ? last : clamp(parseTime(to, 'day') / DAY_MS);
  const dayOf = (day: number) => formatDay(day * DAY_MS);
  const thumb = (label: string, value: number, rangeTo: (day: number) => Partial<ViewState>) => (
    <input
      type="range"
      aria-label={label}
      aria-valuetext={formatDate(value * DAY_MS)}
      min={first}
      max={last}
      value={value}
      onInput={(event) => drag(rangeTo(Number(event.currentTarget.value)))}
    />
  );
  const [start, end] = [dayOf(first), dayOf(last)];
  return (
    <section class="range" aria-label="Dates shown">
      <div class="thumbs">
        {thumb('First date', low, (day) => ({ from: day <= first ? null : dayOf(Math.min(day, high)) }))}
        {thumb('Last date', high, (day) => ({ to: day >= last ? null : dayOf(Math.max(day, low)) }))}
      </div>
      <div class="range-dates">
        <DateField
          label="From"
          min={start}
          max={to ?? end}
          value={from ?? start}
          onChange={(day) => choose({ from: day })}
        />
        <DateField
          label="to"
          edge="last"
          min={from ?? start}
          max={end}
          value={to ?? end}
          onChange={(day) => choose({ to: day })}
        />
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
