import { useSignal } from '@preact/signals';
import { type GeoPermissibleObjects, geoEqualEarth, geoMercator, geoPath } from 'd3-geo';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { clockwise } from '../../charts/map.js';
import { INKS } from '../../charts/theme.js';
import { formatNumber } from '../controls/format.js';
import { useSize } from '../controls/media.js';
import { shownTheme } from '../state/preferences.js';
import type { MapData, MapRegion } from './map-data.js';
import { colourOfShare, type RegionValue, shareOf } from './map-values.js';

/** Where the map is moved to, and how far it is zoomed. */
interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

const WHOLE: View = { x: 0, y: 0, scale: 1 };
const MAX_SCALE = 40;
const ZOOM_STEP = 1.5;

/** The shapes of regions in the colours of their values. It is zoomed by the wheel and buttons, and moved by dragging. */
export function MapCanvas({
  data,
  values,
  chosen,
  label,
  hint,
  onPick,
}: {
  data: Pick<MapData, 'regions' | 'domain' | 'unit'>;
  values: readonly RegionValue[];
  chosen: ReadonlySet<number>;
  label: string;
  /** What pointing and clicking do. */
  hint: string;
  onPick: (region: MapRegion) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = useSignal<View>(WHOLE);
  const under = useSignal<RegionValue | null>(null);
  const grabbed = useRef<{ x: number; y: number; from: View; isMoved: boolean } | null>(null);
  const width = useSize(box);
  const height = Math.max(240, Math.min(620, Math.round(width * 0.56)));
  const projected = useMemo(
    () => (width === 0 ? [] : projectRegions(data.regions, { width, height })),
    [data, width, height],
  );
  const valueById = useMemo(() => new Map(values.map((one) => [one.region.id, one])), [values]);
  const theme = shownTheme();
  useEffect(() => {
    view.value = WHOLE;
  }, [projected]);
  useEffect(() => {
    const target = canvas.current;
    const context = target?.getContext('2d');
    if (target == null || context == null || width === 0) return;
    const dots = Math.max(1, devicePixelRatio);
    target.width = Math.round(width * dots);
    target.height = Math.round(height * dots);
    const { x, y, scale } = view.value;
    context.setTransform(dots * scale, 0, 0, dots * scale, dots * x, dots * y);
    const missing = theme === 'dark' ? '#3d4753' : '#dde2e7';
    const hatch = hatchOf(context, { missing, ink: theme === 'dark' ? '#6b7785' : '#aab4be', scale });
    for (const { region, path } of projected) {
      const { value = null, isOlder = false } = valueById.get(region.id) ?? {};
      context.fillStyle = value === null ? hatch : colourOfShare(shareOf(value, data.domain), theme);
      context.globalAlpha = isOlder ? 0.55 : 1;
      context.fill(path);
      context.globalAlpha = 1;
      context.lineWidth = 0.5 / scale;
      context.strokeStyle = INKS[theme].paper;
      context.stroke(path);
    }
    context.lineWidth = 2 / scale;
    context.strokeStyle = INKS[theme].ink;
    for (const { region, path } of projected) if (chosen.has(region.id)) context.stroke(path);
  }, [projected, valueById, view.value, theme, chosen]);
  const regionAt = (event: PointerEvent): RegionValue | null => {
    const target = canvas.current;
    const context = target?.getContext('2d');
    if (target == null || context == null) return null;
    const { left, top } = target.getBoundingClientRect();
    const { x, y, scale } = view.peek();
    const [px, py] = [(event.clientX - left - x) / scale, (event.clientY - top - y) / scale];
    context.save();
    context.resetTransform();
    const hit = projected.findLast(({ path }) => context.isPointInPath(path, px, py));
    context.restore();
    return hit === undefined ? null : (valueById.get(hit.region.id) ?? null);
  };
  const zoom = (factor: number, [x, y] = [width / 2, height / 2]) => {
    const now = view.peek();
    const scale = Math.min(MAX_SCALE, Math.max(1, now.scale * factor));
    const ratio = scale / now.scale;
    view.value = scale === 1 ? WHOLE : { scale, x: x! - (x! - now.x) * ratio, y: y! - (y! - now.y) * ratio };
  };
  return (
    <div class="map-box" ref={box}>
      <canvas
        ref={canvas}
        class="map"
        role="img"
        aria-label={label}
        style={{ width: `${width}px`, height: `${height}px` }}
        onWheel={(event) => {
          if (!event.ctrlKey && view.peek().scale === 1 && event.deltaY > 0) return;
          event.preventDefault();
          const { left, top } = event.currentTarget.getBoundingClientRect();
          zoom(event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP, [event.clientX - left, event.clientY - top]);
        }}
        onPointerDown={(event) => {
          grabbed.current = { x: event.clientX, y: event.clientY, from: view.peek(), isMoved: false };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          const start = grabbed.current;
          if (start === null) {
            under.value = regionAt(event);
            return;
          }
          const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
          if (Math.abs(dx) + Math.abs(dy) > 4) start.isMoved = true;
          if (start.isMoved) view.value = { ...start.from, x: start.from.x + dx, y: start.from.y + dy };
        }}
        onPointerUp={(event) => {
          const isClick = grabbed.current?.isMoved === false;
          grabbed.current = null;
          const hit = isClick ? regionAt(event) : null;
          if (hit !== null) onPick(hit.region);
        }}
        onPointerLeave={() => (under.value = null)}
      />
      <div class="map-buttons">
        <button type="button" aria-label="Zoom in" onClick={() => zoom(ZOOM_STEP)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => zoom(1 / ZOOM_STEP)}>
          −
        </button>
        <button type="button" onClick={() => (view.value = WHOLE)}>
          Whole
        </button>
      </div>
      <p class="map-under" aria-hidden="true">
        {under.value === null
          ? hint
          : `${under.value.region.name}: ${formatNumber(under.value.value)} ${under.value.value === null ? '' : data.unit}${under.value.isOlder ? ' (of an earlier date)' : ''}`}
      </p>
    </div>
  );
}

const HATCH_PIXELS = 6;

/** Stripes of which a region without a value is filled, as wide on every zoom. */
function hatchOf(
  context: CanvasRenderingContext2D,
  { missing, ink, scale }: { missing: string; ink: string; scale: number },
): CanvasPattern | string {
  const tile = document.createElement('canvas');
  tile.width = HATCH_PIXELS;
  tile.height = HATCH_PIXELS;
  const stripes = tile.getContext('2d');
  if (stripes === null) return missing;
  stripes.fillStyle = missing;
  stripes.fillRect(0, 0, HATCH_PIXELS, HATCH_PIXELS);
  stripes.strokeStyle = ink;
  stripes.beginPath();
  for (const x of [-HATCH_PIXELS, 0, HATCH_PIXELS]) {
    stripes.moveTo(x, HATCH_PIXELS);
    stripes.lineTo(x + HATCH_PIXELS, 0);
  }
  stripes.stroke();
  const pattern = context.createPattern(tile, 'repeat');
  pattern?.setTransform(new DOMMatrix().scale(1 / scale));
  return pattern ?? missing;
}

/** A region as pixels of the map before it is moved or zoomed. */
export interface ProjectedRegion {
  readonly region: MapRegion;
  readonly path: Path2D;
}

/** Pixels between the shapes and the border of the map. */
const MARGIN = 8;
/** The radius of a region of which only the centre is known. */
const DOT = 4;
/** Wider views keep areas; narrower ones keep forms. */
const MAX_MERCATOR_DEGREES = 70;

/** Projects the regions once, so that drawing them on another date, or moved, costs only their outlines. */
export function projectRegions(
  regions: readonly MapRegion[],
  { width, height }: { width: number; height: number },
): readonly ProjectedRegion[] {
  const shapes = regions.map(featureOf);
  const all = { type: 'FeatureCollection', features: shapes.filter((one) => one !== null) };
  const projection = spanOf(regions) <= MAX_MERCATOR_DEGREES ? geoMercator() : geoEqualEarth();
  projection.fitExtent(
    [
      [MARGIN, MARGIN],
      [width - MARGIN, height - MARGIN],
    ],
    all as GeoPermissibleObjects as never,
  );
  return regions.flatMap((region, at) => {
    const shape = shapes[at];
    if (shape == null) return [];
    const path = new Path2D();
    const context = {
      beginPath() {},
      moveTo: path.moveTo.bind(path),
      lineTo: path.lineTo.bind(path),
      arc: path.arc.bind(path),
      closePath: path.closePath.bind(path),
    };
    geoPath(projection, context).pointRadius(DOT)(shape as GeoPermissibleObjects);
    return [{ region, path }];
  });
}

function featureOf({ shape, centre }: MapRegion): object | null {
  if (shape !== null && shape.geometries.length > 0) {
    const coordinates = shape.geometries.flatMap((one) => one.coordinates.map(clockwise));
    return { type: 'Feature', properties: null, geometry: { type: 'MultiPolygon', coordinates } };
  }
  return centre === null
    ? null
    : { type: 'Feature', properties: null, geometry: { type: 'Point', coordinates: centre } };
}

/** Degrees of longitude from the westernmost to the easternmost centre or corner. */
function spanOf(regions: readonly MapRegion[]): number {
  let [west, east] = [180, -180];
  for (const { shape, centre } of regions) {
    const outer = shape?.geometries.flatMap((one) => one.coordinates.flatMap(([ring]) => ring ?? [])) ?? [];
    for (const [longitude] of outer.length > 0 ? outer : centre === null ? [] : [centre]) {
      west = Math.min(west, longitude!);
      east = Math.max(east, longitude!);
    }
  }
  return east - west;
}
