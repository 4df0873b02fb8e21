import type { DegreeDayMethod } from '../../agronomy/degree-days/plan.js';
import {
  METHOD_NAMES,
  plotAccumulatedDegreeDays,
  seasonHeadline,
} from '../../charts/accumulated-degree-days.js';
import { isDay } from '../../model/chart-notes.js';
import { ChartFigure } from '../chart/figure.js';
import { Field, FindField, NumberField, Select } from '../controls/fields.js';
import { formatNumber, plural, WRITE } from '../controls/format.js';
import { IdSelect } from '../controls/id-select.js';
import { ValueTable } from '../controls/value-table.js';
import { Awaited } from '../controls/waiting.js';
import { useExported } from '../export/exported.js';
import { choose, page } from '../state/page.js';
import { EMPTY_STATE, type ViewState } from '../state/view-state.js';
import type { Seasons } from './seasons.js';
import { exportedSeasons, shownSeasons, stations, stationText, temperatures } from './shown-seasons.js';

/** Seasons that are drawn as lines; the others are in the band and in the table. */
const MAX_LINES = 6;

/** Degree days of a place, season by season, against the usual range. */
export function DegreeDaysView() {
  const { station } = page.value.degreeDays;
  const { made } = shownSeasons.value;
  useExported(exportedSeasons, [temperatures.loaded.value.value, made]);
  return (
    <>
      <Settings />
      {station === null && <p class="notice">Choose a place with daily temperatures.</p>}
      <Awaited
        resource={temperatures}
        failure="The temperatures could not be loaded."
        loading="Loading the temperatures"
      >
        {() => <Result />}
      </Awaited>
    </>
  );
}

function set(change: Partial<ViewState['degreeDays']>): void {
  choose({ degreeDays: { ...page.peek().degreeDays, ...change } });
}

function Settings() {
  const { station, base, cap, method, from, to } = page.value.degreeDays;
  return (
    <fieldset class="controls">
      <legend class="visually-hidden">How degree days are computed</legend>
      <FindField label="Find a place" text={stationText} />
      <IdSelect
        label="Place"
        kind="region"
        id={station}
        choices={stations.loaded.value.value ?? []}
        onChange={(id) => set({ station: id })}
      />
      <NumberField
        label="Base °C"
        value={base}
        onChange={(value) => set({ base: value ?? EMPTY_STATE.degreeDays.base })}
      />
      <NumberField label="Cap °C" value={cap} onChange={(value) => set({ cap: value })} />
      <Select
        label="Method"
        value={method}
        options={Object.entries(METHOD_NAMES) as [DegreeDayMethod, string][]}
        onChange={(value) => set({ method: value })}
      />
      <SeasonDay label="From" value={from} onChange={(day) => set({ from: day })} />
      <SeasonDay label="to" value={to} onChange={(day) => set({ to: day })} />
    </fieldset>
  );
}

/** A day of every year. */
function SeasonDay({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (day: string) => void;
}) {
  return (
    <Field label={label}>
      <input
        type="text"
        class="season-day"
        placeholder="MM-DD"
        title="Month and day, such as 04-01"
        value={value}
        onChange={({ currentTarget: field }) => {
          const day = field.value.trim();
          if (isDay(`2001-${day}`)) onChange(day);
          else field.value = value;
        }}
      />
    </Field>
  );
}

function Result() {
  const { made, problem } = shownSeasons.value;
  if (made === null) return <p class="notice failure">{problem}</p>;
  if (made.seasons.length === 0) return <p class="notice">The temperatures of this place cover no season.</p>;
  const shown = made.seasons.slice(-MAX_LINES);
  const climatology = made.climatology ?? undefined;
  const title = seasonHeadline(made.seasons.at(-1)!, climatology, WRITE) ?? undefined;
  const { station, ...settings } = page.value.degreeDays;
  return (
    <>
      <ChartFigure
        parts={[JSON.stringify([station, settings, made.seasons.length])]}
        make={(size) => plotAccumulatedDegreeDays(shown, { ...size, climatology, title })}
        emptyText="There is nothing to draw."
      />
      {made.climatology === null && (
        <p class="quiet-text">The usual range needs three whole seasons, and this place has fewer.</p>
      )}
      <SeasonTable seasons={made} />
    </>
  );
}

/** The total and the coverage of every season, the latest first. */
function SeasonTable({ seasons: { seasons } }: { seasons: Seasons }) {
  return (
    <ValueTable
      caption={`${plural(seasons.length, 'season')}. A day without both values counts zero, so a total of low coverage is too low; the usual range leaves such seasons out.`}
      heads={['Season', 'Degree days (°C·day)', 'Days with both values', 'Coverage']}
      rows={[...seasons].reverse()}
      rowsPerPage={seasons.length}
      rowOf={({ interval, total, days, days_counted, coverage, isWhole }) => [
        `${interval?.start_date} – ${interval?.end_date}`,
        formatNumber(Math.round(total * 10) / 10),
        `${formatNumber(days_counted)} of ${formatNumber(days)}`,
        `${formatNumber(Math.round(coverage * 1000) / 10)} %${isWhole ? '' : ' · not whole'}`,
      ]}
    />
  );
}
