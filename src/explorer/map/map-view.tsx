import { useEffect, useMemo } from 'preact/hooks';
import { withUnitLabel } from '../../charts/frame-lines.js';
import { shortUnit } from '../../charts/headline.js';
import { mapTexts, shapeChart } from '../../charts/map.js';
import { hasTrueZero } from '../../model/derivations.js';
import { formatDay, parseTime } from '../../model/time.js';
import type { Size } from '../chart/drawing.js';
import { announce } from '../controls/announce.js';
import { WRITE } from '../controls/format.js';
import { TableBelow } from '../controls/value-table.js';
import { levelsOf, NothingKnown, Select, useLevel, ViewControls } from '../controls/view-controls.js';
import { Awaited } from '../controls/waiting.js';
import { drawable, type Exported, useHeld, viewExport } from '../export/exported.js';
import { toggleSeries } from '../find/pick.js';
import { nameOf } from '../state/names.js';
import { bindState, choose, drag, page } from '../state/page.js';
import { shown } from '../state/points.js';
import type { ViewTable } from '../table/series-table.js';
import {
  clientRequest,
  type Drawn,
  isPlaced,
  type MapData,
  mapData,
  mappedRegion,
  surroundings,
  useDrawn,
  widerMap,
} from './map-data.js';
import { MapDrawing } from './map-drawing.js';

export function MapView() {
  // Without values, it is unknown which year of a fine-grained series the map should load.
  if (shown.loaded.value.value?.whole.length === 0)
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

function OneMap({ all }: { all: MapData }) {
  const { series } = page.value;
  const first = series[0]!;
  const levels = useMemo(() => levelsOf(all.regions, (region) => region.level), [all]);
  // A level with only one region, such as the world, does not make a useful map.
  const { regions, select: levelSelect } = useLevel(
    levels,
    (found) => found.length > 1 && found.some(({ id }) => id === first.region_id),
  );
  const drawn = useDrawn(useMemo(() => ({ ...all, regions }), [all, regions]));
  const { at, other, dates, measure, unit, isChange } = drawn;
  const { title, subtitle } = textsOf(drawn);
  const legend = isChange ? `Change, ${unit}` : withUnitLabel(drawn.names.metric, unit);
  useEffect(() => {
    mappedRegion.value = regions[0]!.id;
  }, [regions]);
  useEffect(() => announce(title), [title]);
  useMapFile(drawn, { title, subtitle, legend });
  const isUnplaced = !regions.some(isPlaced);
  const table = <TableBelow {...regionTable(drawn)} isOpen={isUnplaced} />;
  if (isUnplaced)
    return (
      <>
        <p class="notice">
          The locations of these regions are unknown, so the regions cannot be drawn. Their values are:
        </p>
        {table}
      </>
    );
  const wider = widerMap.loaded.value.value;
  return (
    <>
      {all.regions.length === 1 && (
        <p class="notice">
          This source has values for {all.regions[0]!.name} only.{' '}
          {wider !== null && (
            <button type="button" onClick={() => choose({ series: [wider], date: null, otherDate: null })}>
              Show the regions of {nameOf('source', wider.source_id)}
            </button>
          )}
        </p>
      )}
      <ViewControls
        more={
          <>
            {levelSelect}
            {isChange && hasTrueZero(all.unit) && (
              <Select
                label="Change in"
                {...bindState('change')}
                options={[['units', shortUnit(all.unit)], 'percent']}
              />
            )}
          </>
        }
      >
        <DateSlider dates={dates} at={at} text={periodText(drawn, at)} />
        <Select
          label="Change from"
          value={other}
          options={[
            [null, 'no other date'],
            ...dates
              .filter((ms) => ms < at || ms === other)
              .map((ms) => [ms, periodText(drawn, ms)] as const)
              .reverse(),
          ]}
          onChange={(ms) => choose({ otherDate: ms === null ? null : formatDay(ms) })}
        />
      </ViewControls>
      <figure class="figure">
        <figcaption>
          <h2 class="figure-title">{title}</h2>
          <p class="figure-subtitle">{subtitle}</p>
        </figcaption>
        <MapDrawing
          {...drawn}
          around={surroundings.loaded.value.value}
          chosen={new Set(series.map(({ region_id }) => region_id))}
          label={`${measure}, ${subtitle}`}
          onPick={(region_id) => toggleSeries({ ...first, region_id })}
        />
        <ColourLegend {...drawn} />
        {all.credit !== '' && <p class="figure-source">Source: {all.credit}</p>}
        {table}
      </figure>
    </>
  );
}

function textsOf(drawn: Drawn) {
  const { at, other, wantedMs, values, figures, unit, names, regions, left, request } = drawn;
  const { from, to } = request;
  const day = (word: string, text: string | null) =>
    text === null ? '' : ` ${word} ${WRITE.day(parseTime(text, 'day'))}`;
  return mapTexts(
    values.map(({ region: { name }, value }) => ({ name, value })),
    {
      ...{ names, unit, figures, write: WRITE, asof: page.value.asof },
      periods: [other, at].flatMap((ms) => (ms === null ? [] : periodText(drawn, ms))),
      unplaced: regions.filter((region) => !isPlaced(region)).length,
      notes: [
        left > 0 ? `${WRITE.number(left)} more regions are not loaded` : '',
        wantedMs == null || wantedMs === at ? '' : `no region has a value on ${WRITE.day(wantedMs)}`,
        from === null && to === null ? '' : `dates${day('from', from)}${day('to', to)}`,
      ],
    },
  );
}

/** Formats the period that ends on a date, such as `2012`. The first region with that period gives its start date. */
function periodText({ regions }: MapData, ms: number): string {
  const line = regions.find(({ line: { end } }) => end.includes(ms))?.line;
  return line === undefined ? WRITE.day(ms) : WRITE.period(line.start[line.end.indexOf(ms)]!, ms);
}

function ColourLegend({ breaks, colours, range, unit, figures, isChange }: Drawn) {
  const limits = breaks.map((limit) => WRITE.quantity(limit, '', breaks));
  // Narrow screens have room for every other limit, always including zero.
  const anchor = breaks.includes(0) ? breaks.indexOf(0) : breaks.length - 1;
  return (
    <div class="colour-legend">
      <span class="colour-range">
        {WRITE.quantity(range[0], '', figures)} to {WRITE.quantity(range[1], shortUnit(unit), figures)}
      </span>
      <ol class="classes" style={{ '--limit': `${Math.max(...limits.map(({ length }) => length))}ch` }}>
        {colours.map((colour, at) => (
          <li key={colour}>
            <span class="class-colour" style={{ background: colour }} aria-hidden="true" />
            {at < limits.length && (
              <span class={(at - anchor) % 2 ? 'limit between' : 'limit'}>{limits[at]}</span>
            )}
          </li>
        ))}
      </ol>
      <span class="no-value">no value</span>
      {!isChange && <span class="quiet-text">the colours are the same on all dates</span>}
    </div>
  );
}

function DateSlider({ dates, at, text }: { dates: readonly number[]; at: number; text: string }) {
  return (
    <label class="date-slider">
      <span>Date</span>
      <input
        type="range"
        aria-label="Date of the map"
        min={0}
        max={dates.length - 1}
        value={dates.indexOf(at)}
        aria-valuetext={text}
        onInput={(event) => drag({ date: formatDay(dates[Number(event.currentTarget.value)]!) })}
      />
      <output aria-hidden="true">{text}</output>
    </label>
  );
}

/** Returns the map's table, highest value first. A table of changes also has the values on both dates. */
function regionTable(drawn: Drawn): ViewTable {
  const { values, figures, unit, at, other, isChange, storedUnit, all, measure } = drawn;
  const sorted = [...values].sort((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity));
  const onDate = (ms: number) => {
    const name = periodText(drawn, ms);
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

function useMapFile(drawn: Drawn, texts: Record<'title' | 'subtitle' | 'legend', string>): void {
  const { values, breaks, isChange: isSigned, credit: source } = drawn;
  const around = surroundings.loaded.value.value?.map(({ polygons }) => polygons);
  const parts = [drawn, surroundings.loaded.value.value, ...Object.values(texts)];
  useHeld(viewExport, () => exportMap(drawn), parts);
  const drawMap = () => {
    const shapes = values
      .map(({ region: { polygons }, value }) => ({ polygons, value }))
      .filter(({ polygons }) => polygons.length > 0);
    if (shapes.every(({ value }) => value === null)) return null;
    return async (size: Size) => {
      // In the page's build of Vega, the map code is a separate chunk, which must be loaded first.
      await ((await import('vega')) as unknown as { loadMaps(): Promise<void> }).loadMaps();
      return shapeChart(shapes, { ...texts, breaks, isSigned, source, ...size }, around);
    };
  };
  useHeld(drawable, drawMap, parts);
}

function exportMap(drawn: Drawn): Exported {
  const { table, request, measure, at, other } = drawn;
  const dates = [other, at].flatMap((ms) => (ms === null ? [] : periodText(drawn, ms)));
  const title = `map ${measure} ${dates.join(' to ')}`;
  return {
    parts: [
      { label: 'Values on the map', title, points: null, table: () => regionTable(drawn) },
      { label: 'All dates and regions of the map', title: `map ${measure} all dates`, points: table },
    ],
    request,
    names: [`${measure}, ${request.regions?.length} regions`],
    call: ['getDataPointsTable', clientRequest(request)],
  };
}
