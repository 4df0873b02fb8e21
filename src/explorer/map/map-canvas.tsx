import { type Signal, useSignal } from '@preact/signals';
import { type GeoPermissibleObjects, geoEqualEarth, geoMercator, geoPath } from 'd3-geo';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { classColours, classOf } from '../../charts/map-colours.js';
import { featureOf, isWide } from '../../charts/map-shapes.js';
import { FONT, INKS } from '../../charts/theme.js';
import { formatNumber } from '../controls/format.js';
import { useSize } from '../controls/media.js';
import { shownTheme } from '../state/preferences.js';
import type { Place } from './map-data.js';
import type { PlacedValue } from './map-values.js';

/** Where a map is moved to, and how far it is zoomed. */
interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** A map that is neither moved nor zoomed. */
export const WHOLE: View = { x: 0, y: 0, scale: 1 };
const MAX_SCALE = 40;
const ZOOM_STEP = 1.5;
/** A pointer reaches the nearest region within so many pixels, and regions that are less wide are dots. */
const REACH = 12;
const MIN_PIXELS = 3;
const NAME_PIXELS = 11;

/** The shapes of regions in the colours of their values, with their names where there is room. It is zoomed by the wheel and buttons, and moved by dragging. */
export function MapCanvas({
  regions,
  unit,
  breaks,
  values,
  chosen,
  label,
  hint,
  view: shared,
  onPick,
}: {
  regions: readonly Place[];
  unit: string;
  /** Where the classes of values end. */
  breaks: readonly number[];
  values: readonly PlacedValue[];
  chosen: ReadonlySet<number>;
  label: string;
  /** The actions of pointing and clicking. */
  hint: string;
  /** The view of a map that moves with another one. */
  view?: Signal<View>;
  onPick: (region: Place) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const ownView = useSignal<View>(WHOLE);
  const view = shared ?? ownView;
  const under = useSignal<PlacedValue | null>(null);
  const grabbed = useRef<{ x: number; y: number; from: View; isMoved: boolean } | null>(null);
  const width = useSize(box);
  const height = Math.max(240, Math.min(620, Math.round(width * 0.56)));
  const projected = useMemo(
    () => (width === 0 ? [] : projectRegions(regions, { width, height })),
    [regions, width, height],
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
    const colours = classColours(breaks, theme);
    const { x, y, scale } = view.value;
    context.setTransform(dots * scale, 0, 0, dots * scale, dots * x, dots * y);
    const missing = theme === 'dark' ? '#3d4753' : '#dde2e7';
    const hatch = hatchOf(context, { missing, ink: theme === 'dark' ? '#6b7785' : '#aab4be', scale });
    const outlines = projected.map((one) => outlineAt(one, scale));
    for (const [at, { region }] of projected.entries()) {
      const { value = null, isOlder = false } = valueById.get(region.id) ?? {};
      context.fillStyle = value === null ? hatch : colours[classOf(value, breaks)]!;
      context.globalAlpha = isOlder ? 0.55 : 1;
      context.fill(outlines[at]!);
      context.globalAlpha = 1;
      context.lineWidth = 0.5 / scale;
      context.strokeStyle = INKS[theme].paper;
      context.stroke(outlines[at]!);
    }
    context.lineWidth = 2 / scale;
    context.strokeStyle = INKS[theme].ink;
    for (const [at, { region }] of projected.entries())
      if (chosen.has(region.id)) context.stroke(outlines[at]!);
  }, [projected, valueById, view.value, theme, chosen, breaks]);
  const regionAt = (event: PointerEvent): PlacedValue | null => {
    const context = canvas.current?.getContext('2d');
    if (context == null) return null;
    const { x, y, scale } = view.peek();
    const [px, py] = [(event.offsetX - x) / scale, (event.offsetY - y) / scale];
    context.save();
    context.resetTransform();
    const within = projected.findLast(({ path }) => context.isPointInPath(path, px, py));
    context.restore();
    const distances = projected.map(({ centre }) => Math.hypot(centre[0] - px, centre[1] - py) * scale);
    const hit = within ?? projected[distances.indexOf(Math.min(REACH, ...distances))];
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
          zoom(event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP, [event.offsetX, event.offsetY]);
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
      <Names regions={projected} view={view} width={width} />
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
          : `${under.value.region.name}: ${formatNumber(under.value.value)} ${under.value.value === null ? '' : unit}${under.value.isOlder ? ' (of an earlier date)' : ''}`}
      </p>
    </div>
  );
}

const HATCH_PIXELS = 6;

/** Stripes of which a region without a value is filled, as wide on every zoom. */
function hatchOf(
  context: CanvasRenderingContext2D,
  { missing, ink, scale }: { missing: string; ink: string; scale: number },
): CanvasPattern {
  const tile = new OffscreenCanvas(HATCH_PIXELS, HATCH_PIXELS);
  const stripes = tile.getContext('2d')!;
  stripes.fillStyle = missing;
  stripes.fillRect(0, 0, HATCH_PIXELS, HATCH_PIXELS);
  stripes.strokeStyle = ink;
  stripes.stroke(new Path2D('M-6 6L0 0M0 6L6 0M6 6L12 0'));
  const pattern = context.createPattern(tile, 'repeat')!;
  pattern.setTransform(new DOMMatrix().scale(1 / scale));
  return pattern;
}

/** Measures names. */
const pen = document.createElement('canvas').getContext('2d')!;
pen.font = `${NAME_PIXELS}px ${FONT}`;

/** The most places without a shape that have their names beside them. */
const MAX_NAMED_DOTS = 30;

/** The names of regions that are wider than their names, and of a few places, over the map. */
function Names({
  regions,
  view,
  width,
}: {
  regions: readonly ProjectedRegion[];
  view: Signal<View>;
  width: number;
}) {
  const { x, y, scale } = view.value;
  const areFew = regions.filter(({ region }) => region.shape === null).length <= MAX_NAMED_DOTS;
  return (
    <svg class="map-names" aria-hidden="true">
      {regions.flatMap(({ region: { id, name, shape }, centre, wide, high }) => {
        const at = { x: centre[0] * scale + x, y: centre[1] * scale + y };
        const side = at.x < width / 2 ? 1 : -1;
        if (shape === null && areFew)
          return (
            <text key={id} {...at} x={at.x + 2 * DOT * side} text-anchor={side > 0 ? 'start' : 'end'}>
              {name}
            </text>
          );
        const isHigh = high * scale >= NAME_PIXELS * 1.6;
        if (!isHigh || Math.max(30, pen.measureText(name).width + 8) > wide * scale) return [];
        return (
          <text key={id} {...at}>
            {name}
          </text>
        );
      })}
    </svg>
  );
}

/** A region as pixels of the map before it is moved or zoomed. */
interface ProjectedRegion {
  readonly region: Place;
  readonly path: Path2D;
  readonly centre: readonly [number, number];
  readonly wide: number;
  readonly high: number;
}

/** Pixels between the shapes and the border of the map. */
const MARGIN = 8;
/** Degrees that are shown around a place. */
const AROUND = 1;
/** The radius of a region whose shape is too small, and of one of which only the centre is known, on every zoom. */
const SMALL_DOT = 1.5;
const DOT = 4;

/** The outline of a region, or its dot. */
function outlineAt({ region, path, centre, wide }: ProjectedRegion, scale: number): Path2D {
  if (wide * scale >= MIN_PIXELS) return path;
  const dot = new Path2D();
  dot.arc(...centre, (region.shape === null ? DOT : SMALL_DOT) / scale, 0, 2 * Math.PI);
  return dot;
}

/** Projects the regions once, so that drawing them on another date, or moved, costs only their outlines. */
function projectRegions(
  regions: readonly Place[],
  { width, height }: { width: number; height: number },
): readonly ProjectedRegion[] {
  const polygonsOf = ({ shape }: Place) => shape?.geometries.flatMap((one) => one.coordinates) ?? [];
  const shapes = regions.map((region) => {
    const polygons = polygonsOf(region);
    if (polygons.length > 0) return featureOf(polygons);
    const { centre: coordinates } = region;
    return coordinates && { type: 'Feature', properties: null, geometry: { type: 'Point', coordinates } };
  });
  const centres = regions.flatMap(({ shape, centre }) => (shape === null && centre !== null ? [centre] : []));
  // A single place has no extent that could fill the map.
  const coordinates = centres.flatMap(([longitude, latitude]) =>
    [-AROUND, AROUND].map((by) => [longitude + by, Math.max(-90, Math.min(90, latitude + by))]),
  );
  const around = { type: 'Feature', properties: null, geometry: { type: 'MultiPoint', coordinates } };
  const all = { type: 'FeatureCollection', features: [around, ...shapes.filter((one) => one !== null)] };
  const drawn = [...regions.flatMap(polygonsOf), ...centres.map((centre) => [[[...centre]]])];
  const projection = (isWide(drawn) ? geoEqualEarth() : geoMercator()).fitExtent(
    [
      [MARGIN, MARGIN],
      [width - MARGIN, height - MARGIN],
    ],
    all as GeoPermissibleObjects as never,
  );
  const measured = geoPath(projection);
  return regions.flatMap((region, at) => {
    const shape = shapes[at] as GeoPermissibleObjects | null;
    if (shape === null) return [];
    const path = new Path2D();
    const context = {
      beginPath() {},
      moveTo: path.moveTo.bind(path),
      lineTo: path.lineTo.bind(path),
      arc: path.arc.bind(path),
      closePath: path.closePath.bind(path),
    };
    if (region.shape !== null) geoPath(projection, context)(shape);
    const [[left, top], [right, bottom]] = measured.bounds(shape);
    return [{ region, path, centre: measured.centroid(shape), wide: right - left, high: bottom - top }];
  });
}
