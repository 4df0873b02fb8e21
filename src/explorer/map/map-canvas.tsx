import { type Signal, useSignal } from '@preact/signals';
import { type GeoPermissibleObjects, geoEqualEarth, geoMercator, geoPath } from 'd3-geo';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { classOf } from '../../charts/map-colours.js';
import { featureOf, isWide } from '../../charts/map-shapes.js';
import { FONT, INKS, type Theme } from '../../charts/theme.js';
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
const WHOLE: View = { x: 0, y: 0, scale: 1 };
const MAX_SCALE = 40;
const ZOOM_STEP = 1.5;
/** Pixels of the window that other parts of the page need beside a map. */
const ROOM_PIXELS = 340;
/** A pointer reaches the nearest region within so many pixels, and regions that are less wide are dots. */
const REACH = 12;
const MIN_PIXELS = 3;
const NAME_PIXELS = 11;

/**
 * Renders the shapes of regions in the colours of their values, with their names where there is room. It is zoomed by
 * the wheel and buttons, and moved by dragging.
 */
export function MapCanvas({
  regions,
  around = NO_PLACES,
  colours,
  breaks,
  values,
  chosen,
  label,
  hint,
  tipOf,
  onPick,
}: {
  regions: readonly Place[];
  /** Regions around them, under them without a value. */
  around?: readonly Place[] | undefined;
  /** The colours of the classes, the lowest first, and where these end. */
  colours: readonly string[];
  breaks: readonly number[];
  values: readonly PlacedValue[];
  chosen: ReadonlySet<number>;
  label: string;
  /** The actions of pointing and clicking. */
  hint: string;
  /** The content of the tip of a region. */
  tipOf: (value: PlacedValue) => ComponentChildren;
  onPick: (region: Place) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const view = useSignal<View>(WHOLE);
  const under = useSignal<Pointed | null>(null);
  const width = useSize(box);
  const height = Math.max(240, Math.min(620, Math.round(width * 0.56), innerHeight - ROOM_PIXELS));
  const projected = useMemo(
    () => (width === 0 ? NO_MAP : projectRegions(regions, around, { width, height })),
    [regions, around, width, height],
  );
  const valueById = useMemo(() => new Map(values.map((one) => [one.region.id, one])), [values]);
  const theme = shownTheme();
  const pointed = under.value === null ? undefined : valueById.get(under.value.id);
  useEffect(() => {
    view.value = WHOLE;
  }, [regions, width]);
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context == null || width === 0) return;
    const painted = { projected, valueById, colours, breaks, theme };
    paintMap(context, { ...painted, view: view.value, size: { width, height } });
    const marked = new Set(pointed === undefined ? chosen : [...chosen, pointed.region.id]);
    outline(context, projected.regions, { ids: marked, theme, scale: view.value.scale });
  }, [projected, valueById, view.value, theme, chosen, breaks, colours, pointed]);
  const regionAt = ({ offsetX, offsetY }: PointerEvent) => {
    const context = canvas.current?.getContext('2d');
    const hit =
      context == null ? undefined : hitOf(context, projected.regions, view.peek(), [offsetX, offsetY]);
    return hit === undefined ? null : { id: hit.region.id, x: offsetX, y: offsetY };
  };
  const zoom = (factor: number, [x, y] = [width / 2, height / 2]) => {
    const now = view.peek();
    const scale = Math.min(MAX_SCALE, Math.max(1, now.scale * factor));
    const ratio = scale / now.scale;
    view.value = scale === 1 ? WHOLE : { scale, x: x! - (x! - now.x) * ratio, y: y! - (y! - now.y) * ratio };
  };
  const pointers = usePointers({ view, under, regionAt, onPick: (id) => onPick(valueById.get(id)!.region) });
  return (
    <div class="map-box" ref={box}>
      <canvas
        ref={canvas}
        class={view.value.scale === 1 ? 'map' : 'map zoomed'}
        role="img"
        aria-label={label}
        style={{ width: `${width}px`, height: `${height}px` }}
        onWheel={(event) => {
          if (!event.ctrlKey && view.peek().scale === 1 && event.deltaY > 0) return;
          event.preventDefault();
          zoom(event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP, [event.offsetX, event.offsetY]);
        }}
        {...pointers}
      />
      <Names regions={projected.regions} view={view} width={width} />
      {pointed !== undefined && (
        <div class="tooltip map-tip" aria-hidden="true" style={tipPlace(under.value!, { width, height })}>
          {tipOf(pointed)}
        </div>
      )}
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
      <p class="quiet-text">{hint}</p>
    </div>
  );
}

const NO_PLACES: readonly Place[] = [];
const NO_MAP: ProjectedMap = { regions: [], around: [] };

/** The region at the pointer, and where the pointer is on the map. */
interface Pointed {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

const TIP_WIDTH = 212;
const TIP_GAP = 14;

/** Where a tip has room beside the pointer. */
function tipPlace({ x, y }: Pointed, { width, height }: { width: number; height: number }) {
  const left = x > width / 2 ? x - TIP_WIDTH - TIP_GAP : x + TIP_GAP;
  const side = { left: `${Math.max(0, Math.min(left, width - TIP_WIDTH))}px`, width: `${TIP_WIDTH}px` };
  return y > height / 2
    ? { ...side, top: 'auto', bottom: `calc(100% - ${y - TIP_GAP}px)` }
    : { ...side, top: `${y + TIP_GAP}px` };
}

/**
 * Reads values under a mouse and under a finger, and moves a zoomed map. A click picks a region; a tap shows its value
 * first, and a second one picks it.
 */
function usePointers({
  view,
  under,
  regionAt,
  onPick,
}: {
  view: Signal<View>;
  under: Signal<Pointed | null>;
  regionAt: (event: PointerEvent) => Pointed | null;
  onPick: (id: number) => void;
}) {
  const grabbed = useRef<{
    x: number;
    y: number;
    from: View;
    isMoved: boolean;
    before: number | null;
  } | null>(null);
  return {
    onPointerDown: (event: PointerEvent) => {
      const before = under.peek()?.id ?? null;
      grabbed.current = { x: event.clientX, y: event.clientY, from: view.peek(), isMoved: false, before };
      under.value = regionAt(event);
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent) => {
      const start = grabbed.current;
      if (start !== null) {
        const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
        if (Math.abs(dx) + Math.abs(dy) > 4) start.isMoved = true;
        const { from } = start;
        if (start.isMoved && from.scale > 1) view.value = { ...from, x: from.x + dx, y: from.y + dy };
      }
      if (start === null || start.from.scale === 1) under.value = regionAt(event);
    },
    onPointerUp: (event: PointerEvent) => {
      const start = grabbed.current;
      grabbed.current = null;
      const hit = start?.isMoved === false ? regionAt(event) : null;
      if (hit !== null && (event.pointerType === 'mouse' || start?.before === hit.id)) onPick(hit.id);
    },
    onPointerCancel: () => {
      grabbed.current = null;
    },
    onPointerLeave: (event: PointerEvent) => {
      // A finger that is lifted leaves its value to be read.
      if (event.pointerType === 'mouse') under.value = null;
    },
  };
}

/** Finds the region at a position of the map, or the nearest one within reach. */
function hitOf(
  context: CanvasRenderingContext2D,
  regions: readonly ProjectedRegion[],
  { x, y, scale }: View,
  [left, top]: readonly [number, number],
): ProjectedRegion | undefined {
  const [px, py] = [(left - x) / scale, (top - y) / scale];
  context.save();
  context.resetTransform();
  const within = regions.findLast(({ path }) => context.isPointInPath(path, px, py));
  context.restore();
  const distances = regions.map(({ centre }) => Math.hypot(centre[0] - px, centre[1] - py) * scale);
  return within ?? regions[distances.indexOf(Math.min(REACH, ...distances))];
}

/** Paints the regions around the map in grey, then its own in the colours of their classes. */
function paintMap(
  context: CanvasRenderingContext2D,
  {
    projected,
    valueById,
    colours,
    breaks,
    theme,
    view: { x, y, scale },
    size: { width, height },
  }: {
    projected: ProjectedMap;
    valueById: ReadonlyMap<number, PlacedValue>;
    colours: readonly string[];
    breaks: readonly number[];
    theme: Theme;
    view: View;
    size: { width: number; height: number };
  },
): void {
  const dots = Math.max(1, devicePixelRatio);
  context.canvas.width = Math.round(width * dots);
  context.canvas.height = Math.round(height * dots);
  context.setTransform(dots * scale, 0, 0, dots * scale, dots * x, dots * y);
  context.lineWidth = 1 / scale;
  context.fillStyle = theme === 'dark' ? '#222930' : '#f1f3f5';
  context.strokeStyle = theme === 'dark' ? '#4a5561' : '#c4ccd4';
  for (const path of projected.around) {
    context.fill(path);
    context.stroke(path);
  }
  const missing = theme === 'dark' ? '#3d4753' : '#dde2e7';
  const hatch = hatchOf(context, { missing, ink: theme === 'dark' ? '#6b7785' : '#aab4be', scale });
  context.lineWidth = 0.5 / scale;
  context.strokeStyle = INKS[theme].paper;
  for (const one of projected.regions) {
    const { value = null, isOlder = false } = valueById.get(one.region.id) ?? {};
    const shape = outlineAt(one, scale);
    context.fillStyle = value === null ? hatch : colours[classOf(value, breaks)]!;
    context.globalAlpha = isOlder ? 0.55 : 1;
    context.fill(shape);
    context.globalAlpha = 1;
    context.stroke(shape);
  }
  context.lineWidth = 1 / scale;
  context.strokeStyle = theme === 'dark' ? '#98a3ae' : '#7b8794';
  for (const path of projected.around) context.stroke(path);
}

/** Draws the outlines of some regions in ink. */
function outline(
  context: CanvasRenderingContext2D,
  regions: readonly ProjectedRegion[],
  { ids, theme, scale }: { ids: ReadonlySet<number>; theme: Theme; scale: number },
): void {
  context.lineWidth = 2 / scale;
  context.strokeStyle = INKS[theme].ink;
  for (const one of regions) if (ids.has(one.region.id)) context.stroke(outlineAt(one, scale));
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

/** Renders the names of regions that are wider than their names, and of a few places, over the map. */
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

/** Returns the outline of a region, or its dot. */
function outlineAt({ region, path, centre, wide }: ProjectedRegion, scale: number): Path2D {
  if (wide * scale >= MIN_PIXELS) return path;
  const dot = new Path2D();
  dot.arc(...centre, (region.shape === null ? DOT : SMALL_DOT) / scale, 0, 2 * Math.PI);
  return dot;
}

/** A map as pixels before it is moved or zoomed. */
interface ProjectedMap {
  readonly regions: readonly ProjectedRegion[];
  /** The outlines of what is around them. */
  readonly around: readonly Path2D[];
}

type Feature = GeoPermissibleObjects;

function featureAt({ shape, centre: coordinates }: Place): Feature | null {
  const polygons = shape?.geometries.flatMap((one) => one.coordinates) ?? [];
  if (polygons.length > 0) return featureOf(polygons) as Feature;
  if (coordinates === null) return null;
  return { type: 'Feature', properties: null, geometry: { type: 'Point', coordinates: [...coordinates] } };
}

/** Projects the regions once, so that drawing them on another date, or moved, costs only their outlines. */
function projectRegions(
  regions: readonly Place[],
  around: readonly Place[],
  size: { width: number; height: number },
): ProjectedMap {
  const projection = projectionOf(regions, size);
  const measured = geoPath(projection);
  const pathOf = (feature: Feature) => {
    const path = new Path2D();
    const context = {
      beginPath() {},
      moveTo: path.moveTo.bind(path),
      lineTo: path.lineTo.bind(path),
      arc: path.arc.bind(path),
      closePath: path.closePath.bind(path),
    };
    geoPath(projection, context)(feature);
    return path;
  };
  return {
    around: around.flatMap((place) => {
      const feature = featureAt(place);
      return feature === null ? [] : [pathOf(feature)];
    }),
    regions: regions.flatMap((region) => {
      const feature = featureAt(region);
      if (feature === null) return [];
      const [[left, top], [right, bottom]] = measured.bounds(feature);
      const path = region.shape === null ? new Path2D() : pathOf(feature);
      return [{ region, path, centre: measured.centroid(feature), wide: right - left, high: bottom - top }];
    }),
  };
}

/** Returns the projection in which regions fill a map. */
function projectionOf(regions: readonly Place[], { width, height }: { width: number; height: number }) {
  const centres = regions.flatMap(({ shape, centre }) => (shape === null && centre !== null ? [centre] : []));
  // A single place has no extent that could fill the map.
  const coordinates = centres.flatMap(([longitude, latitude]) =>
    [-AROUND, AROUND].map((by) => [longitude + by, Math.max(-90, Math.min(90, latitude + by))]),
  );
  const extent = { type: 'Feature', properties: null, geometry: { type: 'MultiPoint', coordinates } };
  const features = [extent, ...regions.map(featureAt).filter((one) => one !== null)];
  const polygons = regions.flatMap(({ shape }) => shape?.geometries.flatMap((one) => one.coordinates) ?? []);
  const drawn = [...polygons, ...centres.map((centre) => [[[...centre]]])];
  return (isWide(drawn) ? geoEqualEarth() : geoMercator()).fitExtent(
    [
      [MARGIN, MARGIN],
      [width - MARGIN, height - MARGIN],
    ],
    { type: 'FeatureCollection', features } as never,
  );
}
