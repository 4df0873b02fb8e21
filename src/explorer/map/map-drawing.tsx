import { type Signal, useSignal } from '@preact/signals';
import { type GeoPermissibleObjects, geoEqualEarth, geoMercator, geoPath } from 'd3-geo';
import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import { type Line, spanOf } from '../../charts/lines.js';
import { classOf } from '../../charts/map-colours.js';
import { featureOf, isWide } from '../../charts/map-shapes.js';
import { DAY_MS } from '../../model/time.js';
import type { Size } from '../chart/drawing.js';
import { announce } from '../controls/announce.js';
import { WRITE } from '../controls/format.js';
import { useSize } from '../controls/media.js';
import { type Drawn, isPlaced } from './map-data.js';
import {
  ARROWS,
  type MapPlace,
  type MapRegion,
  nearest,
  type Place,
  type RegionValue,
  regionBeyond,
} from './map-values.js';

const NO_ZOOM = { x: 0, y: 0, scale: 1 };
type Viewport = Readonly<typeof NO_ZOOM>;

const MAX_SCALE = 40;
const ZOOM_STEP = 1.5;
/** The part of the window height, in pixels, that is left for the rest of the page. */
const ROOM_PIXELS = 395;
/** The maximum distance in pixels at which the pointer selects the nearest region. */
const REACH = 12;
/** Regions narrower than this many pixels are drawn as dots. */
const MIN_PIXELS = 3;

/** Renders regions coloured by value. The wheel and buttons zoom the map; dragging pans it. */
export function MapDrawing(
  props: Drawn & {
    around: readonly MapPlace[] | null;
    chosen: ReadonlySet<number>;
    label: string;
    onPick: (id: number) => void;
  },
) {
  const { regions, around, colours, breaks, values, chosen, label, onPick } = props;
  const box = useRef<HTMLDivElement>(null);
  const view = useSignal<Viewport>(NO_ZOOM);
  const under = useSignal<Pointed | null>(null);
  const [hatchId, helpId] = [useId(), useId()];
  const width = useSize(box);
  const height = Math.max(300, Math.min(620, Math.round(width * 0.56), innerHeight - ROOM_PIXELS));
  const projected = useMemo(
    () => (width === 0 ? NO_MAP : projectRegions(regions, around ?? [], { width, height })),
    [regions, around, width, height],
  );
  const valueById = useMemo(() => new Map(values.map((one) => [one.region.id, one])), [values]);
  useEffect(() => {
    view.value = NO_ZOOM;
  }, [regions, width]);
  const { x, y, scale } = view.value;
  // Memoised, so that thousands of shapes are not compared again whenever the pointer moves.
  const shapes = useMemo(
    () =>
      projected.regions.map((one) => {
        const value = valueById.get(one.region.id)?.value ?? null;
        const fill = value === null ? `url(#${hatchId})` : colours[classOf(value, breaks)]!;
        return <Shape key={one.region.id} of={one} scale={scale} fill={fill} />;
      }),
    [projected, valueById, colours, breaks, scale],
  );
  const borders = useMemo(() => projected.around.map((path, at) => <path key={at} d={path} />), [projected]);
  const pointed = under.value === null ? undefined : valueById.get(under.value.id);
  const marked = projected.regions.filter(
    ({ region: { id } }) => chosen.has(id) || id === pointed?.region.id,
  );
  const regionAt = ({ clientX, clientY, offsetX, offsetY }: PointerEvent) => {
    const { dataset } = (document.elementFromPoint(clientX, clientY) ?? document.body) as SVGElement;
    const place = [(offsetX - x) / scale, (offsetY - y) / scale] as const;
    const isNear = ([left, top]: Place) => Math.hypot(left - place[0], top - place[1]);
    const id = dataset.region ?? nearest(projected.regions, isNear, REACH / scale)?.region.id;
    return id === undefined ? null : { id: Number(id), x: offsetX, y: offsetY };
  };
  const zoom = (factor: number, [atX, atY] = [width / 2, height / 2]) => {
    const next = Math.min(MAX_SCALE, Math.max(1, scale * factor));
    const ratio = next / scale;
    view.value =
      next === 1 ? NO_ZOOM : { scale: next, x: atX! - (atX! - x) * ratio, y: atY! - (atY! - y) * ratio };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = ARROWS[event.key];
    const now = projected.regions.find(({ region: { id } }) => id === under.value?.id);
    const first =
      projected.regions.find(({ region: { id } }) => chosen.has(id)) ??
      nearest(projected.regions, ([left, top]) => Math.hypot(left - width / 2, top - height / 2));
    const next = direction && (now === undefined ? first : regionBeyond(projected.regions, now, direction));
    if (event.key === 'Escape') under.value = null;
    if (event.key === 'Enter' && now !== undefined) onPick(now.region.id);
    if (direction !== undefined) event.preventDefault();
    if (next === undefined) return;
    const [left, top] = [next.centre[0] * scale, next.centre[1] * scale];
    const isInView = left + x >= 0 && left + x <= width && top + y >= 0 && top + y <= height;
    if (!isInView) view.value = { scale, x: width / 2 - left, y: height / 2 - top };
    under.value = { id: next.region.id, x: left + view.value.x, y: top + view.value.y };
    announce(
      `${next.region.name}, ${WRITE.quantity(valueById.get(next.region.id)!.value, props.unit, props.figures)}`,
    );
  };
  const pointers = usePointers({ view, under, regionAt, onPick });
  return (
    <div class="map-box" ref={box}>
      <svg
        class={scale === 1 ? 'map' : 'map zoomed'}
        role="application"
        aria-label={label}
        aria-describedby={helpId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys move between the regions
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => (under.value = null)}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        onWheel={(event) => {
          if (!event.ctrlKey && scale === 1 && event.deltaY > 0) return;
          event.preventDefault();
          zoom(event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP, [event.offsetX, event.offsetY]);
        }}
        {...pointers}
      >
        <pattern
          id={hatchId}
          class="map-hatch"
          patternUnits="userSpaceOnUse"
          width={6}
          height={6}
          patternTransform={`scale(${1 / scale})`}
        >
          <rect width={6} height={6} stroke="none" />
          <path d="M-6 6L0 0M0 6L6 0M6 6L12 0" />
        </pattern>
        <g transform={`translate(${x} ${y}) scale(${scale})`}>
          <g class="map-around">{borders}</g>
          <g class="map-regions">{shapes}</g>
          <g class="map-borders">{borders}</g>
          <g class="map-marked">
            {marked.map((one) => (
              <Shape key={one.region.id} of={one} scale={scale} />
            ))}
          </g>
        </g>
      </svg>
      {pointed !== undefined && (
        <div class="tooltip map-tip" aria-hidden="true" style={tipPlace(under.value!, { width, height })}>
          <MapTip {...pointed} {...props} />
        </div>
      )}
      <div class="map-buttons">
        <button type="button" aria-label="Zoom in" onClick={() => zoom(ZOOM_STEP)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => zoom(1 / ZOOM_STEP)}>
          −
        </button>
      </div>
      <p id={helpId} class="quiet-text">
        Point, tap or press an arrow key to see a value. A click or Enter adds the series to the list.
      </p>
    </div>
  );
}

const NO_MAP: ProjectedMap = { regions: [], around: [] };
/** The radius in pixels of the dot for a region with a tiny shape. It is the same at every zoom level. */
const SMALL_DOT = 1.5;
/** The radius in pixels of the dot for a region without a shape. */
const DOT = 4;

function Shape({ of, scale, fill }: { of: ProjectedRegion; scale: number; fill?: string }) {
  const { region, path, centre, wide } = of;
  if (wide * scale >= MIN_PIXELS) return <path data-region={region.id} d={path} fill={fill} />;
  const radius = (region.polygons.length === 0 ? DOT : SMALL_DOT) / scale;
  return <circle data-region={region.id} cx={centre[0]} cy={centre[1]} r={radius} fill={fill} />;
}

interface Pointed {
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

const TIP_WIDTH = 212;
const TIP_GAP = 14;

function tipPlace({ x, y }: Pointed, { width, height }: Size) {
  const left = x > width / 2 ? x - TIP_WIDTH - TIP_GAP : x + TIP_GAP;
  const side = { left: `${Math.max(0, Math.min(left, width - TIP_WIDTH))}px`, width: `${TIP_WIDTH}px` };
  return y > height / 2
    ? { ...side, top: 'auto', bottom: `calc(100% - ${y - TIP_GAP}px)` }
    : { ...side, top: `${y + TIP_GAP}px` };
}

/** Renders a tooltip with a region's name, its value (or its change and both values) and a sparkline of all values. */
function MapTip(props: RegionValue & Drawn) {
  const { value, unit, figures, all, isChange, at, other } = props;
  const { name, line } = props.region;
  const row = line.end.indexOf(at);
  const sides = (isChange ? [line.end.indexOf(other!), row] : [row]).filter((one) => one >= 0);
  const period = (one: number) => WRITE.period(line.start[one]!, line.end[one]!);
  return (
    <>
      <strong>{name}</strong>
      <br />
      {isChange && value !== null && value > 0 && '+'}
      {WRITE.quantity(value, unit, figures)}
      <span class="quiet-text">
        {sides.map((one) =>
          isChange
            ? ` · ${WRITE.quantity(line.value[one]!, '', all)} in ${period(one)}`
            : ` · ${period(one)}`,
        )}
      </span>
      {line.value.length > 1 && <Sparkline line={line} row={row} />}
    </>
  );
}

/** Draws all values of a line, stretched to the size set by the style sheet, with a dot on one of them. */
function Sparkline({ line: { end, value }, row }: { line: Line; row: number }) {
  const [[from, to], [low, high]] = [spanOf([end]), spanOf([value])];
  // Browsers leave out parts of a path with coordinates as large as milliseconds.
  const points = Array.from(value, (one, at) => `${(end[at]! - from) / DAY_MS} ${high - one}`);
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${(to - from) / DAY_MS} ${high - low}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={`M${points.join('L')}`} />
      {row >= 0 && <path class="spark-dot" d={`M${points[row]}h0`} />}
    </svg>
  );
}

/** Handles the pointer: hovering or tapping shows a value, dragging pans, a click or second tap picks a region. */
function usePointers(props: {
  view: Signal<Viewport>;
  under: Signal<Pointed | null>;
  regionAt: (event: PointerEvent) => Pointed | null;
  onPick: (id: number) => void;
}) {
  const { view, under, regionAt, onPick } = props;
  // Where the pointer was pressed, the viewport and the region shown before, and whether the pointer has moved since.
  const grabbed = useRef<
    (Pick<Viewport, 'x' | 'y'> & { from: Viewport; before: number | null; isMoved: boolean }) | null
  >(null);
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
    onPointerCancel: () => (grabbed.current = null),
    onPointerLeave: (event: PointerEvent) => {
      // Lifting a finger off the screen does not hide the value.
      if (event.pointerType === 'mouse') under.value = null;
    },
  };
}

const MARGIN_PIXELS = 8;
/** The margin, in degrees, to add around a region known only by its centre, since a point has no extent. */
const AROUND = 1;

type ProjectedMap = ReturnType<typeof projectRegions>;
type ProjectedRegion = ProjectedMap['regions'][number];

function projectRegions(regions: readonly MapRegion[], around: readonly MapPlace[], size: Size) {
  const draw = geoPath(projectionOf(regions, size));
  return {
    around: around.map((place) => draw(featureAt(place)) ?? ''),
    regions: regions.filter(isPlaced).map((region) => {
      const feature = featureAt(region);
      const [[left], [right]] = draw.bounds(feature);
      return { region, path: draw(feature) ?? '', centre: draw.centroid(feature), wide: right - left };
    }),
  };
}

function projectionOf(regions: readonly MapPlace[], { width, height }: Size) {
  const polygons = regions.flatMap((region) => region.polygons);
  const centres = regions.flatMap(({ polygons, centre }) =>
    polygons.length > 0 || centre === null ? [] : [centre],
  );
  const coordinates = centres.flatMap(([longitude, latitude]) =>
    [-AROUND, AROUND].map((by) => [longitude + by, Math.max(-90, Math.min(90, latitude + by))]),
  );
  const places = { type: 'Feature', properties: null, geometry: { type: 'MultiPoint', coordinates } };
  return (isWide([...polygons, [centres]]) ? geoEqualEarth() : geoMercator()).fitExtent(
    [
      [MARGIN_PIXELS, MARGIN_PIXELS],
      [width - MARGIN_PIXELS, height - MARGIN_PIXELS],
    ],
    { type: 'FeatureCollection', features: [featureOf(polygons), places] } as never,
  );
}

function featureAt({ polygons, centre }: MapPlace): GeoPermissibleObjects {
  return polygons.length > 0
    ? (featureOf(polygons) as GeoPermissibleObjects)
    : { type: 'Point', coordinates: [...centre!] };
}
