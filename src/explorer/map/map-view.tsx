import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { inUnit } from '../../charts/frame-texts.js';
import { measuredBy, shortUnit, upperFirst } from '../../charts/headline.js';
import { latestCommonDate, mapHeadline, shapeChart } from '../../charts/map.js';
import { breaksOf, classColours } from '../../charts/map-colours.js';
import { runsWhere } from '../../columns/row-runs.js';
import { frameOf, type LongFrame } from '../../frame/frame.js';
import { buildTable, tableColumns, takeColumns } from '../../frame/table/build-table.js';
import { readColumn } from '../../frame/table/columns.js';
import { groupedBy } from '../../model/grouping.js';
import type { SeriesKey } from '../../model/series.js';
import { formatDay, parseTime } from '../../model/time.js';
import { NothingChosen } from '../chart/chart-view.js';
import type { Size } from '../chart/drawing.js';
import { announce } from '../controls/announce.js';
import { Select, StateSelect } from '../controls/fields.js';
import { formatDate, formatNumber, formatPeriod, plural } from '../controls/format.js';
import { ValueTable } from '../controls/value-table.js';
import { Awaited } from '../controls/waiting.js';
import { clientProgram, literal } from '../export/code.js';
import { drawable, type Exported, useExported } from '../export/exported.js';
import { toggleSeries } from '../find/matching.js';
import { nameOf } from '../state/names.js';
import { choose, drag, page } from '../state/page.js';
import { shownTheme } from '../state/preferences.js';
import { host } from '../state/service.js';
import { MapCanvas, WHOLE } from './map-canvas.js';
import { clientRequest, datesOf, levelText, type MapData, mapData } from './map-data.js';
import { type RegionValue, valuesOn } from './map-values.js';

/** Milliseconds between the dates of the player. */
const STEP_MS = 700;

/** The values of all regions with the first chosen series' measure, on one date. */
export function MapView() {
  if (page.value.series.length === 0) return <NothingChosen />;
  return (
    <Awaited resource={mapData} failure="The map could not be loaded." loading="Loading shapes and values">
      {(data) =>
        data.dates.length === 0 ? <p class="notice">No region has a value to draw.</p> : <OneMap all={data} />
      }
    </Awaited>
  );
}

function OneMap({ all }: { all: MapData }) {
  const level = useSignal<number | null>(null);
  const view = useSignal(WHOLE);
  const { date, otherDate, nearest, series, asof, colours, classes } = page.value;
  // A part and the whole that holds it are never drawn over one another.
  const levels = useMemo(
    () => [...groupedBy(all.regions, (region) => region.level)].sort(([, a], [, b]) => b.length - a.length),
    [all],
  );
  // The world alone is no map.
  const own = levels.find(
    ([, regions]) => regions.length > 1 && regions.some(({ id }) => id === series[0]!.region_id),
  );
  const [shownLevel, regions] = levels.find(([one]) => one === level.value) ?? own ?? levels[0]!;
  const data = useMemo(
    () => ({ ...all, regions, dates: datesOf(regions.map(({ line }) => line)) }),
    [regions],
  );
  const wantedMs = date === null ? null : parseTime(date, 'day');
  const at =
    wantedMs === null
      ? latestCommonDate(data.regions.map(({ line }) => line.end))
      : latestUntil(data.dates, wantedMs);
  const other = otherDate === null ? null : latestUntil(data.dates, parseTime(otherDate, 'day'));
  const values = valuesOn(data, at, nearest);
  const otherValues = other === null ? null : valuesOn(data, other, nearest);
  const breaks = useMemo(() => {
    const shown = [...values, ...(otherValues ?? [])].flatMap(({ value }) => value ?? []);
    const ofAll = () => data.regions.flatMap(({ line }) => [...line.value]);
    return breaksOf(colours === 'date' ? shown : ofAll(), classes);
  }, [data, colours, classes, ...(colours === 'date' ? [at, other, nearest] : [])]);
  const [first] = series;
  const chosen = new Set(series.map(({ region_id }) => region_id));
  const without = values.filter(({ value }) => value === null).length;
  const older = values.filter(({ isOlder }) => isOlder).length;
  const unshaped = data.regions.filter(({ shape, centre }) => shape === null && centre === null).length;
  const names = { metric: nameOf('metric', first!.metric_id), item: nameOf('item', first!.item_id) };
  const measure = `${names.metric} · ${names.item}`;
  const title = sentenceOf(values, at, { measure, names, unit: shortUnit(data.unit) });
  const caption = [
    formatDate(at),
    `${plural(values.length - without, 'region')} with a value`,
    without > 0 ? `${formatNumber(without)} without` : '',
    older > 0 ? `${formatNumber(older)} of an earlier date (paler)` : '',
    unshaped > 0 ? `${formatNumber(unshaped)} without a known place` : '',
    all.left > 0 ? `${formatNumber(all.left)} more regions are not loaded` : '',
    wantedMs === null || wantedMs === at ? '' : `no region has a value on ${formatDate(wantedMs)}`,
    rangeText(all.request),
    asof === null ? '' : `as known on ${asof}`,
  ].filter((text) => text !== '');
  const legend = inUnit(names.metric, data.unit);
  useMapFile(data, values, { at, title, subtitle: caption.join(' · '), legend, breaks });
  const mapOf = (ms: number, shown: readonly RegionValue[]) => (
    <MapCanvas
      regions={data.regions}
      unit={data.unit}
      breaks={breaks}
      values={shown}
      chosen={chosen}
      view={view}
      label={`${measure}, ${formatDate(ms)}, ${caption.slice(1).join(', ')}`}
      hint="Point at a region; a click draws its series."
      onPick={(region) => toggleSeries({ ...first!, region_id: region.id })}
    />
  );
  return (
    <figure class="figure">
      <figcaption>
        <h2 class="figure-title">{title}</h2>
        <p class="figure-subtitle">{caption.join(' · ')}</p>
      </figcaption>
      <div class="controls">
        {levels.length > 1 && (
          <Select
            label="Level"
            value={shownLevel}
            options={levels.map(([one, { length }]) => [one, levelText(one, length)])}
            onChange={(chosen) => (level.value = chosen)}
          />
        )}
        <StateSelect
          label="Colours of"
          part="colours"
          options={[
            ['all', 'all dates'],
            ['date', 'the date shown'],
          ]}
        />
        <StateSelect
          label="Classes"
          part="classes"
          options={[
            ['steps', 'round steps'],
            ['quantiles', 'equal counts'],
          ]}
        />
        <Select
          label="Compare with"
          value={other}
          options={[
            [null, 'no other date'],
            ...data.dates.slice(-MAX_OTHER_DATES).map((ms) => [ms, formatDate(ms)] as const),
          ]}
          onChange={(ms) => choose({ otherDate: ms === null ? null : formatDay(ms) })}
        />
        <label>
          <input type="checkbox" checked={nearest} onChange={() => choose({ nearest: !nearest })} />
          Where a region has no value, use its latest earlier one
        </label>
      </div>
      <Player dates={data.dates} at={at} />
      <ColourLegend
        breaks={breaks}
        only={values.find(({ value }) => value !== null)?.value ?? null}
        unit={shortUnit(data.unit)}
        isOfAll={colours === 'all'}
      />
      {otherValues === null ? (
        mapOf(at, values)
      ) : (
        <div class="maps">
          {[[other!, otherValues] as const, [at, values] as const]
            .sort(([one], [another]) => one - another)
            .map(([ms, shown]) => (
              <div key={ms}>
                <h3>{formatDate(ms)}</h3>
                {mapOf(ms, shown)}
              </div>
            ))}
        </div>
      )}
      {all.credit !== '' && <p class="figure-source">Source: {all.credit}</p>}
      <RegionTable values={values} unit={data.unit} chosen={chosen} subject={first!} />
    </figure>
  );
}

/** Dates that are offered for a comparison. */
const MAX_OTHER_DATES = 200;

/** The highest and the lowest value of a date, in a sentence. */
function sentenceOf(
  values: readonly RegionValue[],
  at: number,
  { measure, names, unit }: { measure: string; names: { metric: string; item: string }; unit: string },
): string {
  const known = values.flatMap(({ region, value, isOlder }) =>
    value === null || isOlder ? [] : [{ name: region.name, value, line: region.line }],
  );
  const line = known[0]?.line;
  const row = line?.end.indexOf(at) ?? -1;
  const period = row < 0 ? formatDate(at) : formatPeriod(line!.start[row]!, at);
  const subject = `${upperFirst(measuredBy(names))} ${period}`;
  return mapHeadline(known, { subject, unit, number: formatNumber }) ?? measure;
}

/** Returns a text such as `dates from 1 May 2023`; empty if all dates are loaded. */
function rangeText({ from, to }: MapData['request']): string {
  const day = (word: string, text: string | null) =>
    text === null ? '' : ` ${word} ${formatDate(parseTime(text, 'day'))}`;
  return from === null && to === null ? '' : `dates${day('from', from)}${day('to', to)}`;
}

function latestUntil(dates: readonly number[], ms: number): number {
  return dates.findLast((date) => date <= ms) ?? dates[0]!;
}

function ColourLegend({
  breaks,
  only,
  unit,
  isOfAll,
}: {
  breaks: readonly number[];
  /** The value where all are equal. */
  only: number | null;
  unit: string;
  isOfAll: boolean;
}) {
  return (
    <div class="colour-legend">
      <span>{unit}</span>
      <ol class="classes">
        {classColours(breaks, shownTheme()).map((colour, at) => (
          <li key={colour}>
            <span class="class-colour" style={{ background: colour }} aria-hidden="true" />
            {breaks[at] !== undefined && <span class="limit">{formatNumber(breaks[at])}</span>}
          </li>
        ))}
      </ol>
      {breaks.length === 0 && <span>{formatNumber(only)}</span>}
      <span class="no-value" aria-hidden="true" />
      <span>no value</span>
      {isOfAll && <span class="quiet-text">the same colours on all dates</span>}
    </div>
  );
}

/** Moves through the dates that have values, by hand or as a player. */
function Player({ dates, at }: { dates: readonly number[]; at: number }) {
  const isPlaying = useSignal(false);
  const position = dates.indexOf(at);
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  useEffect(() => {
    if (!isPlaying.value) return;
    const timer = setTimeout(() => {
      const next = dates[position + 1];
      if (next === undefined) isPlaying.value = false;
      else drag({ date: formatDay(next) });
    }, STEP_MS);
    return () => clearTimeout(timer);
  }, [isPlaying.value, position]);
  const toggle = () => {
    if (!isPlaying.peek() && position === dates.length - 1) drag({ date: formatDay(dates[0]!) });
    isPlaying.value = !isPlaying.peek();
  };
  return (
    <div class="player">
      <button type="button" disabled={isStill || dates.length < 2} onClick={toggle}>
        {isPlaying.value ? 'Stop' : 'Play'}
      </button>
      <label>
        <span class="visually-hidden">Date of the map</span>
        <input
          type="range"
          min={0}
          max={dates.length - 1}
          value={position}
          aria-valuetext={formatDate(at)}
          onKeyDown={(event) => {
            if (event.key !== ' ' || isStill) return;
            event.preventDefault();
            toggle();
          }}
          onInput={(event) => {
            const date = dates[Number(event.currentTarget.value)]!;
            isPlaying.value = false;
            drag({ date: formatDay(date) });
            announce(formatDate(date));
          }}
        />
      </label>
      <span class="count">
        {formatDate(at)} ({formatNumber(position + 1)} of {formatNumber(dates.length)})
      </span>
      {isStill && (
        <span class="quiet-text">Animation is off, because this system prefers reduced motion.</span>
      )}
    </div>
  );
}

/** The values of the map as a table, highest first; here too, each region is drawn or removed. */
function RegionTable({
  values,
  unit,
  chosen,
  subject,
}: {
  values: readonly RegionValue[];
  unit: string;
  chosen: ReadonlySet<number>;
  subject: SeriesKey;
}) {
  const sorted = [...values].sort(
    (a, b) => (b.value ?? Number.NEGATIVE_INFINITY) - (a.value ?? Number.NEGATIVE_INFINITY),
  );
  return (
    <details class="known">
      <summary>The same as a table ({plural(values.length, 'region')})</summary>
      <ValueTable
        heads={['Region', unit === '' ? 'Value' : `Value, ${unit}`, 'Drawn']}
        rows={sorted}
        rowOf={({ region, value, isOlder }) => [
          region.name,
          `${formatNumber(value)}${isOlder ? ' (earlier)' : ''}`,
          <input
            key={region.id}
            type="checkbox"
            aria-label={`Draw ${region.name}`}
            checked={chosen.has(region.id)}
            onChange={() => toggleSeries({ ...subject, region_id: region.id })}
          />,
        ]}
      />
    </details>
  );
}

/** Exports the map: its values, all values of its regions, a program, and a picture of the shapes. */
function useMapFile(
  data: MapData,
  values: readonly RegionValue[],
  { at, ...texts }: { at: number } & Omit<Parameters<typeof shapeChart>[1], 'source'>,
): void {
  const parts = [data, at, ...Object.values(texts)];
  useExported(() => exportedMap(data, rowsOf(data.table, values, at)), parts);
  useEffect(() => {
    const shapes = values.flatMap(({ region: { shape }, value }) =>
      shape === null ? [] : [{ polygons: shape.geometries.flatMap((one) => one.coordinates), value }],
    );
    const draw = async (size: Size) => {
      // The page's Vega has maps in a part apart.
      await ((await import('vega')) as unknown as { loadMaps(): Promise<void> }).loadMaps();
      return shapeChart(shapes, { ...texts, source: data.credit, ...size });
    };
    drawable.value = shapes.some(({ value }) => value !== null) ? draw : null;
    return () => {
      drawable.value = null;
    };
  }, parts);
}

/** The rows whose values are on the map, with their own dates. */
function rowsOf(table: LongFrame, values: readonly RegionValue[], at: number): LongFrame {
  const wanted = new Set(
    values.flatMap(({ region, value }) => {
      const { end } = region.line;
      return value === null ? [] : [`${region.id} ${end[end.findLastIndex((one) => one <= at)]}`];
    }),
  );
  const [ids, ends] = ['region_id', 'end_date'].map((name) => readColumn(table, name).values);
  const runs = runsWhere(table.numRows, (row) => wanted.has(`${ids![row]} ${ends![row]}`));
  return frameOf(buildTable(takeColumns(tableColumns(table), runs), table.schema.metadata));
}

function exportedMap({ table, request }: MapData, rows: LongFrame): Exported {
  const { metric_id, item_id } = request.series[0]!;
  const name = `${nameOf('metric', metric_id)} ${nameOf('item', item_id)}`;
  return {
    title: `map ${name}`,
    shown: rows,
    whole: table,
    labels: { shown: 'Values on the map', whole: 'All dates and regions of the map' },
    request,
    names: [`${name}, ${request.regions?.length} regions`],
    typescript: clientProgram(host, {
      body: [`console.log(await client.getDataPointsTable(${literal(clientRequest(request))}));`],
    }),
  };
}
