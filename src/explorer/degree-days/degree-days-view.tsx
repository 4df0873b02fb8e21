import { CROP_RULES, cropOf } from '../../agronomy/degree-days/crop-rules.js';
import {
  DEGREE_DAY_METHODS,
  type DegreeDayMethod,
  TEMPERATURE_ITEMS,
  TEMPERATURE_SYMBOLS,
  type TemperatureUnit,
} from '../../agronomy/degree-days/plan.js';
import { stationTemperatures } from '../../agronomy/models/temperature-series.js';
import { plotSeasons, type Seasons, seasonsOf } from '../../charts/degree-day-seasons.js';
import { TENTHS } from '../../charts/lines.js';
import { frequencyId } from '../../model/frequency.js';
import { upperFirst } from '../../model/names/first-letter.js';
import { parseTime } from '../../model/time.js';
import { ChartFigure } from '../chart/figure.js';
import { SeasonDayField } from '../controls/fields.js';
import { countText, WRITE } from '../controls/format.js';
import { ValueTable } from '../controls/value-table.js';
import { IdSelect, NumberField, Select, ViewControls } from '../controls/view-controls.js';
import { Awaited } from '../controls/waiting.js';
import { type Exported, useHeld, viewExport } from '../export/exported.js';
import { ruleAt } from '../find/pick.js';
import { countSeries, nameOf, seriesName } from '../state/names.js';
import { bindSetting, choose, page, whileShown } from '../state/page.js';
import { derive, resource } from '../state/resource.js';
import { ask } from '../state/service.js';
import { EMPTY_STATE, toClientOptions, type ViewState } from '../state/view-state.js';
import type { ViewTable } from '../table/series-table.js';

const MAX_STATIONS = 200;

const stations = resource(
  whileShown('degree-days', () => true),
  async (_, signal) => {
    const name = TEMPERATURE_ITEMS.tmin;
    const hits = await ask((client) => client.searchAll(name, { types: ['items'], limit: 5, signal }));
    const item_id = hits.find(({ exact }) => exact)?.id;
    if (item_id === undefined) throw new Error(`This service has no item called “${name}”.`);
    const wanted = { in: 'regions', limit: MAX_STATIONS, signal } as const;
    const { regions } = await countSeries({ item_id, frequency_id: frequencyId('daily') }, wanted);
    return regions.filter(({ series }) => series > 0);
  },
);

const temperatures = resource(
  whileShown('degree-days', () => {
    const { degreeDays, asof } = page.value;
    const { station, unit } = degreeDays;
    return station === null ? null : { station, unit, asof };
  }),
  ({ station, unit, asof }, signal) =>
    ask((client) => stationTemperatures(client, station, { unit, ...toClientOptions({ asof }), signal })),
);

const shownSeasons = derive(temperatures, (lines) => {
  const { degreeDays } = page.value;
  // Temperatures in the previously chosen unit are not used, because they are about to be replaced.
  return lines.unit === degreeDays.unit ? seasonsOf(lines, degreeDays) : null;
});

function exportSeasons(): Exported {
  const { asof, degreeDays } = page.peek();
  const { station } = degreeDays;
  const found = temperatures.loaded.peek().value;
  const made = shownSeasons.loaded.peek().value;
  if (found === null) return { parts: [], request: null };
  const series = [found.tmin.view.key, found.tmax.view.key];
  const place = station === null ? '' : nameOf('region', station);
  const title = `degree days ${place}`;
  const detail = ruleText();
  return {
    parts: [
      ...(made ? [{ label: 'Seasons', title, detail, points: null, table: () => seasonTable(made) }] : []),
      { label: 'Daily temperatures', title: `daily temperatures ${place}`, points: found.table },
    ],
    request: { ...EMPTY_STATE, series, asof, unit: found.unit_id },
    names: series.map(seriesName),
    notes: [`The page computes degree days from these temperatures with the settings ${ruleText()}.`],
  };
}

/** Returns the table of seasons. Only days with both a minimum and a maximum temperature count towards coverage. */
function seasonTable({ seasons }: Seasons): ViewTable {
  const fullName = `${seasons[0]?.region_name ?? ''}: degree days, ${ruleText()}`;
  return {
    columns: [
      { name: 'Season' },
      { name: 'Degree days', fullName, unit: `${symbolOf()}·day` },
      { name: 'Days with both temperatures' },
      { name: 'Days' },
      { name: 'Coverage', unit: '%', figures: TENTHS },
      { name: 'Complete' },
    ],
    rows: seasons.map(({ interval, total, days, days_counted, coverage, isWhole }) => [
      { start: parseTime(interval.start_date, 'start'), end: parseTime(interval.end_date, 'end') },
      total,
      days_counted,
      days,
      100 * coverage,
      isWhole ? 'yes' : 'no',
    ]),
  };
}

function symbolOf(): string {
  return TEMPERATURE_SYMBOLS[page.value.degreeDays.unit];
}

function ruleText(): string {
  const { base, cap, method, from, to } = page.peek().degreeDays;
  const upTo = cap === null ? '' : `, cap ${cap} ${symbolOf()}`;
  return `"${method}", base ${base} ${symbolOf()}${upTo}, season ${from} to ${to}`;
}

export function DegreeDaysView() {
  const { station } = page.value.degreeDays;
  useHeld(viewExport, exportSeasons, [temperatures.loaded.value.value, shownSeasons.loaded.value.value]);
  return (
    <>
      <Settings />
      {station === null && (
        <p class="notice">
          {stations.loaded.value.error === null && stations.loaded.value.value?.length !== 0
            ? 'Choose a place with daily temperatures, or search for “gdd” and its name.'
            : 'No place has daily minimum and maximum temperatures. Import daily weather, such as “ghcnd”.'}
        </p>
      )}
      <Awaited
        resource={shownSeasons}
        failure="The degree days could not be computed."
        loading="Loading the temperatures"
      >
        {(made) => <Result made={made} />}
      </Awaited>
    </>
  );
}

function set(change: Partial<ViewState['degreeDays']>): void {
  choose({ degreeDays: { ...page.peek().degreeDays, ...change } });
}

const METHODS = Object.entries(DEGREE_DAY_METHODS).map(
  ([method, { name }]) => [method as DegreeDayMethod, name] as const,
);

function Settings() {
  const { station, unit, base, cap } = page.value.degreeDays;
  return (
    <ViewControls
      more={
        <>
          <Select
            label="Temperatures in"
            value={unit}
            options={Object.entries(TEMPERATURE_SYMBOLS) as [TemperatureUnit, string][]}
            onChange={(chosen) =>
              set({
                unit: chosen,
                base: convertThreshold(base, chosen),
                cap: cap === null ? null : convertThreshold(cap, chosen),
              })
            }
          />
          <NumberField
            label="Base"
            value={base}
            onChange={(value) => set({ base: value ?? convertThreshold(EMPTY_STATE.degreeDays.base, unit) })}
          />
          <NumberField label="Cap" {...bindSetting('degreeDays', 'cap')} />
          <Select label="Method" {...bindSetting('degreeDays', 'method')} options={METHODS} />
          <SeasonDayField label="Season from" {...bindSetting('degreeDays', 'from')} />
          <SeasonDayField label="to" {...bindSetting('degreeDays', 'to')} />
        </>
      }
    >
      <IdSelect
        label="Place"
        kind="region"
        value={station}
        onChange={async (place) => set({ station: place, ...(place === null ? {} : await ruleAt(place)) })}
        choices={stations.loaded.value.value ?? []}
      />
      <Select
        label="Crop"
        value={cropOf(page.value.degreeDays)?.name ?? null}
        options={[[null, 'own settings'], ...CROP_RULES.map(({ name }) => name)]}
        onChange={(chosen) => set(CROP_RULES.find(({ name }) => name === chosen)?.rule ?? {})}
      />
    </ViewControls>
  );
}

function convertThreshold(threshold: number, unit: TemperatureUnit): number {
  const changed = unit === 'fahrenheit' ? threshold * 1.8 + 32 : (threshold - 32) / 1.8;
  return Math.round(changed * 100) / 100;
}

function Result({ made }: { made: Seasons }) {
  if (made.seasons.length === 0)
    return <p class="notice">The temperatures for this place do not cover any season.</p>;
  const crop = cropOf(page.value.degreeDays);
  return (
    <>
      {made.seasons.at(-1)!.notes.map((note) => (
        <p class="notice">{upperFirst(note)}.</p>
      ))}
      <ChartFigure parts={[made]} make={(size) => plotSeasons(made, WRITE, size)} />
      {crop !== undefined && (
        <p class="quiet-text">
          Source of the settings for {crop.name}: {crop.source}.
        </p>
      )}
      {made.climatology === null && (
        <p class="quiet-text">
          The usual range requires five complete seasons before the latest one, and this place has fewer. The
          chart shows each season instead.
        </p>
      )}
      <ValueTable
        {...seasonTable(made)}
        caption={`${countText(made.seasons.length, 'season')}. A day without both temperatures counts as zero, so totals with low coverage are too low. The usual range excludes such seasons and the latest one.`}
      />
    </>
  );
}
