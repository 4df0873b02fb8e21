import { type Signal, useSignal } from '@preact/signals';
import { type GeoPermissibleObjects, geoEqualEarth, geoMercator, geoPath } from 'd3-geo';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { classColours, classOf } from '../../charts/map-colours.js';
import { featureOf, isWide } from '../../charts/map-shapes.js';
import { FONT, INKS } from '../../charts/theme.js';
import { formatNumber } from '../controls/format.js';
import { useSize } from '../controls/media.js';
import { shownTheme } from '../state/preferences.js';
import type { MapRegion } from './map-data.js';
import type { RegionValue } from './map-values.js';

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
/** A pointer reaches the nearest region within so many pixels, and regions smaller than a few are dots. */
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
  regions: readonly MapRegion[];
  unit: string;
  /** Where the classes of values end. */
  breaks: readonly number[];
  values: readonly RegionValue[];
  chosen: ReadonlySet<number>;
  label: string;
  /** The actions of pointing and clicking. */
  hint: string;
  /** The view of a map that moves with another one. */
  view?: Signal<View>;
  onPick: (region: MapRegion) => void;
}) {
  const names = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const ownView = useSignal<View>(WHOLE);
  const view = shared ?? ownView;
  const under = useSignal<RegionValue | null>(null);
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
    for (const { region, path, centre, wide } of projected) {
      const { value = null, isOlder = false } = valueById.get(region.id) ?? {};
      context.fillStyle = value === null ? hatch : colours[classOf(value, breaks)]!;
      context.globalAlpha = isOlder ? 0.55 : 1;
      if (wide * scale < MIN_PIXELS)
        context.fillRect(centre[0] - 1.5 / scale, centre[1] - 1.5 / scale, 3 / scale, 3 / scale);
      else context.fill(path);
      context.globalAlpha = 1;
      context.lineWidth = 0.5 / scale;
      context.strokeStyle = INKS[theme].paper;
      context.stroke(path);
    }
    context.lineWidth = 2 / scale;
    context.strokeStyle = INKS[theme].ink;
    for (const { region, path } of projected) if (chosen.has(region.id)) context.stroke(path);
    drawNames(names.current, projected, { view: view.value, width, height, dots, theme });
  }, [projected, valueById, view.value, theme, chosen, breaks]);
  const regionAt = (event: PointerEvent): RegionValue | null => {
    const target = canvas.current;
    const context = target?.getContext('2d');
    if (target == null || context == null) return null;
    const { left, top } = target.getBoundingClientRect();
    const { x, y, scale } = view.peek();
    const [px, py] = [(event.clientX - left - x) / scale, (event.clientY - top - y) / scale];
    context.save();
    context.resetTransform();
    const within = projected.findLast(({ path }) => context.isPointInPath(path, px, py));
    context.restore();
    const distance = ({ centre }: ProjectedRegion) => Math.hypot(centre[0] - px, centre[1] - py) * scale;
    const hit = within ?? nearestOf(projected, distance);
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
      <div class="map-names" aria-hidden="true">
        <canvas ref={names} style={{ width: `${width}px`, height: `${height}px` }} />
      </div>
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

/** The nearest region that a pointer reaches. */
function nearestOf(
  regions: readonly ProjectedRegion[],
  distance: (region: ProjectedRegion) => number,
): ProjectedRegion | undefined {
  let best: ProjectedRegion | undefined;
  let least = REACH;
  for (const region of regions) {
    const far = distance(region);
    if (far < least) [best, least] = [region, far];
  }
  return best;
}

/** Writes the names of regions that are wider than their names, over the map. */
function drawNames(
  target: HTMLCanvasElement | null,
  regions: readonly ProjectedRegion[],
  {
    view,
    width,
    height,
    dots,
    theme,
  }: { view: View; width: number; height: number; dots: number; theme: 'light' | 'dark' },
): void {
  const context = target?.getContext('2d');
  if (target == null || context == null) return;
  target.width = Math.round(width * dots);
  target.height = Math.round(height * dots);
  context.setTransform(dots, 0, 0, dots, 0, 0);
  context.font = `${NAME_PIXELS}px ${FONT}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineWidth = 3;
  context.lineJoin = 'round';
  context.strokeStyle = INKS[theme].paper;
  context.fillStyle = INKS[theme].ink;
  for (const { region, centre, wide, high } of regions) {
    if (high * view.scale < NAME_PIXELS * 1.6 || wide * view.scale < 30) continue;
    if (context.measureText(region.name).width + 8 > wide * view.scale) continue;
    const [x, y] = [centre[0] * view.scale + view.x, centre[1] * view.scale + view.y];
    context.strokeText(region.name, x, y);
    context.fillText(region.name, x, y);
  }
}

/** A region as pixels of the map before it is moved or zoomed. */
interface ProjectedRegion {
  readonly region: MapRegion;
  readonly path: Path2D;
  readonly centre: readonly [number, number];
  readonly wide: number;
  readonly high: number;
}

/** Pixels between the shapes and the border of the map. */
const MARGIN = 8;
/** The radius of a region of which only the centre is known. */
const DOT = 4;

/** Projects the regions once, so that drawing them on another date, or moved, costs only their outlines. */
function projectRegions(
  regions: readonly MapRegion[],
  { width, height }: { width: number; height: number },
): readonly ProjectedRegion[] {
  const polygonsOf = ({ shape }: MapRegion) => shape?.geometries.flatMap((one) => one.coordinates) ?? [];
  const shapes = regions.map((region) => {
    const polygons = polygonsOf(region);
    if (polygons.length > 0) return featureOf(polygons);
    return (
      region.centre && {
        type: 'Feature',
        properties: null,
        geometry: { type: 'Point', coordinates: region.centre },
      }
    );
  });
  const all = { type: 'FeatureCollection', features: shapes.filter((one) => one !== null) };
  const centres = regions.flatMap(({ shape, centre }) =>
    shape === null && centre !== null ? [[[[...centre]]]] : [],
  );
  const projection = (
    isWide([...regions.flatMap(polygonsOf), ...centres]) ? geoEqualEarth() : geoMercator()
  ).fitExtent(
    [
      [MARGIN, MARGIN],
      [width - MARGIN, height - MARGIN],
    ],
    all as GeoPermissibleObjects as never,
  );
  const measured = geoPath(projection).pointRadius(DOT);
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
    geoPath(projection, context).pointRadius(DOT)(shape);
    const [[left, top], [right, bottom]] = measured.bounds(shape);
    return [{ region, path, centre: measured.centroid(shape), wide: right - left, high: bottom - top }];
  });
}
