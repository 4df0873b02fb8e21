import { useEffect, useMemo } from 'preact/hooks';
import { withUnitLabel } from '../../charts/frame-lines.js';
import { measureName, shortUnit } from '../../charts/headline.js';
import { upperFirst } from '../../charts/language.js';
import { spanOf } from '../../charts/lines.js';
import { latestCommonDate, mapHeadline, shapeChart } from '../../charts/map.js';
import {
  addZeroBreak,
  breaksOf,
  classColours,
  limitsOfAll,
  signedColours,
} from '../../charts/map-colours.js';
import { hasTrueZero } from '../../model/derivations.js';
import { formatDay, parseTime } from '../../model/time.js';
import type { Size } from '../chart/drawing.js';
import { announce } from '../controls/announce.js';
import { Select } from '../controls/fields.js';
import {
  countText,
  formatDate,
  formatNumber,
  formatPeriod,
  formatQuantity,
  WRITE,
} from '../controls/format.js';
import { currentTheme } from '../controls/media.js';
import { TableBelow } from '../controls/value-table.js';
import { ViewControls } from '../controls/view-controls.js';
import { Awaited, NothingKnown } from '../controls/waiting.js';
import { drawable, type Exported, useHeld, viewExport } from '../export/exported.js';
import { toggleSeries } from '../find/pick.js';
import { nameOf } from '../state/names.js';
import { bindState, choose, drag, page } from '../state/page.js';
import { shown } from '../state/points.js';
import type { ViewTable } from '../table/view-table.js';
import { levelsOf, useLevel } from './levels.js';
import {
  clientRequest,
  isPlaced,
  type MapData,
  type MapRegion,
  mapData,
  mappedRegion,
  surroundings,
} from './map-data.js';
import { MapDrawing } from './map-drawing.js';
import { changesBetween, type RegionValue, valuesOn } from './map-values.js';

export function MapView() {
  // Without values, it is unknown which year of a fine-grained series the map should load.
  if (shown.loaded.value.value?.extent === null)
    return <NothingKnown otherwise="The chosen series have no values." />;
  return (
    <Awaited resource={mapData} failure="The map could not be loaded." loading="Loading shapes and values">
      {(all) =>
        all.regions.length === 0 ? (
          <NothingKnown otherwise="No region has a value to draw." />
        ) : (
          <OneMap all={all} />
        )
      }
    </Awaited>
  );
}

/** Returns the map's values and class colours. The values are those on one date, or the changes since another date. */
function useDrawn(data: MapData, dates: readonly number[]) {
  const { date, otherDate, change } = page.value;
  const theme = currentTheme();
  const { newest, all, limits } = useMemo(() => scaleOf(data.regions), [data]);
  const [wantedMs, otherMs] = [date, otherDate].map((day) => (day === null ? null : parseTime(day, 'day')));
  const latestUntil = (ms: number) => dates.findLast((one) => one <= ms) ?? dates[0]!;
  const at = wantedMs == null ? newest : latestUntil(wantedMs);
  const other = otherMs == null ? null : latestUntil(otherMs);
  const isPercent = change === 'percent' && hasTrueZero(data.unit);
  return useMemo(() => {
    const isChange = other !== null;
    const onDate = valuesOn(data.regions, at);
    const values = isChange ? changesBetween(valuesOn(data.regions, other), onDate, { isPercent }) : onDate;
    const figures = isChange ? knownOf(values) : all;
    const breaks = isChange ? addZeroBreak(breaksOf(figures), figures) : limits;
    const range = spanOf([Float64Array.from(figures)], () => 0);
    const colours = isChange ? signedColours(breaks, range) : classColours(breaks, theme);
    const unit = isPercent && isChange ? '%' : data.unit;
    return {
      at,
      other,
      wantedMs,
      values,
      figures,
      breaks,
      colours,
      range,
      unit,
      isChange,
      storedUnit: data.unit,
      all,
    };
  }, [data, at, other, isPercent, theme, wantedMs]);
}

/** Returns the newest date of most regions, the values of all dates, and class limits that hold on all dates. */
function scaleOf(regions: readonly MapRegion[]) {
  const newest = latestCommonDate(regions.map(({ line }) => line.end));
  const all = regions.flatMap(({ line }) => [...line.value]);
  return { newest, all, limits: limitsOfAll(all, knownOf(valuesOn(regions, newest))) };
}

const knownOf = (values: readonly RegionValue[]) => values.flatMap(({ value }) => value ?? []);

function OneMap({ all }: { all: MapData }) {
  const { series } = page.value;
  const first = series[0]!;
  const levels = useMemo(() => levelsOf(all.regions, (region) => region.level), [all]);
  // A level with only one region, such as the world, makes no useful map.
  const { regions, select: levelSelect } = useLevel(
    levels,
    (found) => found.length > 1 && found.some(({ id }) => id === first.region_id),
  );
  const data = useMemo(() => ({ ...all, regions }), [all, regions]);
  const dates = useMemo(() => {
    const ends = new Set(regions.flatMap(({ line }) => [...line.end]));
    return [...ends].sort((a, b) => a - b);
  }, [regions]);
  const drawn = useDrawn(data, dates);
  const { at, other, breaks, unit, isChange } = drawn;
  const chosen = new Set(series.map(({ region_id }) => region_id));
  const names = { metric: nameOf('metric', first.metric_id), item: nameOf('item', first.item_id) };
  const measure = `${names.metric} · ${names.item}`;
  const title = mapSentence(drawn, { measure, names });
  const caption = captionOf(data, drawn);
  const legend = isChange ? `Change, ${unit}` : withUnitLabel(names.metric, unit);
  useEffect(() => {
    mappedRegion.value = regions[0]!.id;
  }, [regions]);
  useEffect(() => announce(title), [title]);
  useMapFile(data, drawn, measure, {
    title,
    subtitle: caption.join(' · '),
    legend,
    breaks,
    isSigned: isChange,
  });
  const isUnplaced = !regions.some(isPlaced);
  const table = <TableBelow {...regionTable(regions, drawn, measure)} isOpen={isUnplaced} />;
  if (isUnplaced)
    return (
      <>
        <p class="notice">
          The locations of these regions are unknown, so the regions cannot be drawn. Their values are:
        </p>
        {table}
      </>
    );
  return (
    <>
      <ViewControls
        more={
          <>
            {levelSelect}
            {isChange && hasTrueZero(data.unit) && (
              <Select
                label="Change in"
                {...bindState('change')}
                options={{ units: shortUnit(data.unit), percent: 'percent' }}
              />
            )}
          </>
        }
      >
        <DateSlider dates={dates} at={at} />
        <Select
          label="Change from"
          value={other}
          options={[
            [null, 'no other date'],
            ...dates
              .filter((ms) => ms < at || ms === other)
              .map((ms) => [ms, periodText(regions, ms)] as const)
              .reverse(),
          ]}
          onChange={(ms) => choose({ otherDate: ms === null ? null : formatDay(ms) })}
        />
      </ViewControls>
      <figure class="figure">
        <figcaption>
          <h2 class="figure-title">{title}</h2>
          <p class="figure-subtitle">{caption.join(' · ')}</p>
        </figcaption>
        <MapDrawing
          {...drawn}
          regions={regions}
          around={surroundings.loaded.value.value}
          chosen={chosen}
          label={`${measure}, ${caption.join(', ')}`}
          onPick={(region_id) => toggleSeries({ ...first, region_id })}
        />
        <ColourLegend {...drawn} />
        {all.credit !== '' && <p class="figure-source">Source: {all.credit}</p>}
        {table}
      </figure>
    </>
  );
}

type Drawn = ReturnType<typeof useDrawn>;

function captionOf(data: MapData, { at, other, wantedMs, values, isChange }: Drawn): readonly string[] {
  const { asof } = page.value;
  const without = values.filter(({ value }) => value === null).length;
  const unplaced = data.regions.filter((region) => !isPlaced(region)).length;
  const { from, to } = data.request;
  const period = (ms: number) => periodText(data.regions, ms);
  const day = (word: string, text: string | null) =>
    text === null ? '' : ` ${word} ${formatDate(parseTime(text, 'day'))}`;
  return [
    isChange ? `${period(other!)} to ${period(at)}` : period(at),
    `${countText(values.length - without, 'region')} with a value${isChange ? ' on both' : ''}`,
    without > 0 ? `${formatNumber(without)} without` : '',
    unplaced > 0 ? `${formatNumber(unplaced)} without a known location` : '',
    data.left > 0 ? `${formatNumber(data.left)} more regions are not loaded` : '',
    wantedMs == null || wantedMs === at ? '' : `no region has a value on ${formatDate(wantedMs)}`,
    from === null && to === null ? '' : `dates${day('from', from)}${day('to', to)}`,
    asof === null ? '' : `as known${day('at the end of', asof)}`,
  ].filter((text) => text !== '');
}

/** Returns a headline with the highest and lowest value on a date, or with the highest and lowest change. */
function mapSentence(
  { values, at, other, unit, isChange }: Drawn,
  { measure, names }: { measure: string; names: { metric: string; item: string } },
): string {
  const known = values.flatMap(({ region, value }) => (value === null ? [] : [{ ...region, value }]));
  const subject = isChange
    ? `Change of ${measureName(names)} from ${periodText(known, other!)} to ${periodText(known, at)}`
    : `${upperFirst(measureName(names))} ${periodText(known, at)}`;
  return mapHeadline(known, { subject, unit: shortUnit(unit), write: WRITE, isSigned: isChange }) ?? measure;
}

/** Formats the period ending on a date, such as `2012`. Its start is that of the first region with one. */
function periodText(regions: readonly Pick<MapRegion, 'line'>[], ms: number): string {
  const line = regions.find(({ line: { end } }) => end.includes(ms))?.line;
  return line === undefined ? formatDate(ms) : formatPeriod(line.start[line.end.indexOf(ms)]!, ms);
}

function ColourLegend({ breaks, colours, range, unit, isChange }: Drawn) {
  const limits = breaks.map((limit) => formatQuantity(limit, '', breaks));
  return (
    <div class="colour-legend">
      <span class="colour-range">
        {formatQuantity(range[0], '', range)} to {formatQuantity(range[1], shortUnit(unit), range)}
      </span>
      <ol class="classes" style={{ '--limit': `${Math.max(...limits.map(({ length }) => length))}ch` }}>
        {colours.map((colour, at) => (
          <li key={colour}>
            <span class="class-colour" style={{ background: colour }} aria-hidden="true" />
            {at < limits.length && <span class="limit">{limits[at]}</span>}
          </li>
        ))}
      </ol>
      <span class="no-value">no value</span>
      {!isChange && <span class="quiet-text">the colours are the same on all dates</span>}
    </div>
  );
}

function DateSlider({ dates, at }: { dates: readonly number[]; at: number }) {
  return (
    <label class="date-slider">
      <span class="visually-hidden">Date of the map</span>
      <input
        type="range"
        min={0}
        max={dates.length - 1}
        value={dates.indexOf(at)}
        aria-valuetext={formatDate(at)}
        onInput={(event) => drag({ date: formatDay(dates[Number(event.currentTarget.value)]!) })}
      />
    </label>
  );
}

/** Returns the table of the map, highest value first. If the map shows changes, it also has the values of both dates. */
function regionTable(
  regions: readonly MapRegion[],
  { values, figures, unit, at, other, isChange, storedUnit, all }: Drawn,
  measure: string,
): ViewTable {
  const sorted = [...values].sort((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity));
  const onDate = (ms: number) => {
    const name = periodText(regions, ms);
    return { ms, name, fullName: `${measure}, ${name}`, unit: storedUnit, figures: all };
  };
  const dates = (isChange ? [other!, at] : [at]).map(onDate);
  const change = { name: 'Change', fullName: `${measure}, change`, unit, figures };
  return {
    columns: [{ name: 'Region' }, ...dates, ...(isChange ? [change] : [])],
    rows: sorted.map(({ region: { name, line }, value }) => [
      name,
      ...dates.map(({ ms }) => line.value[line.end.indexOf(ms)] ?? null),
      ...(isChange ? [value] : []),
    ]),
  };
}

function useMapFile(
  data: MapData,
  drawn: Drawn,
  measure: string,
  texts: Omit<Parameters<typeof shapeChart>[1], 'source'>,
): void {
  const { values } = drawn;
  const parts = [data, values, ...Object.values(texts)];
  useHeld(viewExport, () => exportMap(data, drawn, measure), parts);
  const drawMap = () => {
    const shapes = values
      .map(({ region: { polygons }, value }) => ({ polygons, value }))
      .filter(({ polygons }) => polygons.length > 0);
    if (shapes.every(({ value }) => value === null)) return null;
    return async (size: Size) => {
      // In the page's build of Vega, the map code is a separate chunk, which must be loaded first.
      await ((await import('vega')) as unknown as { loadMaps(): Promise<void> }).loadMaps();
      return shapeChart(shapes, { ...texts, source: data.credit, ...size });
    };
  };
  useHeld(drawable, drawMap, parts);
}

function exportMap({ table, request, regions }: MapData, drawn: Drawn, measure: string): Exported {
  const title = `map ${measure}`;
  return {
    parts: [
      { label: 'Values on the map', title, points: null, table: () => regionTable(regions, drawn, measure) },
      { label: 'All dates and regions of the map', title, points: table },
    ],
    request,
    names: [`${measure}, ${request.regions?.length} regions`],
    call: ['getDataPointsTable', clientRequest(request)],
  };
}
