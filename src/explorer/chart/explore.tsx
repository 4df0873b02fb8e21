import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ChartFigure } from '../../charts/chart.js';
import { figuresOf, type PeriodValues as Line, momentOf } from '../../charts/lines.js';
import { shiftDate } from '../../model/calendar.js';
import { DAY_MS } from '../../model/time.js';
import { announce } from '../controls/announce.js';
import { WRITE } from '../controls/format.js';
import type { Drawing, PlacedPanel } from './drawing.js';

interface Cursor {
  readonly ms: number;
  /** The index of the series along which the arrow keys move the cursor. */
  readonly at: number;
  /** Where the values are shown on touch, so that they do not cover the lines; by default, beside the cursor. */
  readonly readout?: 'above' | 'below';
}

/** The room above a chart, in pixels, that its values need on touch. */
const READOUT_PIXELS = 160;

const MAX_ROWS = 12;
const TOOLTIP_WIDTH = 260;

export function Explore(props: { drawing: Drawing | null; helpId: string; children: ComponentChildren }) {
  const { drawing, helpId, children } = props;
  const cursor = useSignal<Cursor | null>(null);
  const figure = drawing?.figure;
  const lines = figure?.lines ?? [];
  useEffect(() => {
    cursor.value = null;
  }, [figure?.labels.join()]);
  const place = (next: Cursor) => {
    cursor.value = next;
    const line = lines[next.at]!;
    const row = nearestRow(line, next.ms);
    const value = valueText(line, row);
    if (row >= 0) announce(`${periodOf(figure!, line, row)}, ${figure!.labels[next.at] ?? ''}, ${value}`);
  };
  const onPointerMove = (event: PointerEvent) => {
    if (drawing === null) return;
    const { left, top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const hit = hitOf(drawing.panels, event.clientX - left, event.clientY - top);
    cursor.value = hit && {
      ms: snap(hit.series === null ? lines : [lines[hit.series]!], hit.ms),
      at: hit.series ?? cursor.value?.at ?? 0,
      ...(event.pointerType !== 'mouse' && { readout: top < READOUT_PIXELS ? 'below' : 'above' }),
    };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (lines.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const [first] = lines as [Line];
    const now = cursor.value ?? { ms: momentOf(first, first.value.length - 1), at: 0 };
    const next = keyMove(event.key, now, lines);
    if (event.key === 'Escape') cursor.value = null;
    if (next === null) return;
    event.preventDefault();
    place(next);
  };
  return (
    <div
      class="explore"
      role="application"
      aria-label={figure?.description ?? 'Chart'}
      aria-describedby={helpId}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys move the cursor along the values
      tabIndex={0}
      onPointerMove={onPointerMove}
      onPointerDown={onPointerMove}
      onPointerLeave={({ pointerType }) => {
        // Lifting a finger off the screen does not hide the values.
        if (pointerType === 'mouse') cursor.value = null;
      }}
      onKeyDown={onKeyDown}
      onBlur={() => (cursor.value = null)}
    >
      {children}
      {cursor.value !== null && drawing !== null && <CursorTable cursor={cursor.value} {...drawing} />}
    </div>
  );
}

function valueText(line: Line, row: number): string {
  return WRITE.quantity(line.value[row] ?? null, line.unit, figuresOf(line));
}

function periodOf({ isOneYear }: ChartFigure, { start, end }: Line, row: number): string {
  return WRITE[isOneYear ? 'periodOfYear' : 'period'](start[row]!, end[row]!);
}

function keyMove(key: string, now: Cursor, lines: readonly Line[]): Cursor | null {
  const step = { ArrowDown: 1, ArrowUp: lines.length - 1 }[key];
  if (step !== undefined) return { ...now, at: (now.at + step) % lines.length };
  const at = Math.min(now.at, lines.length - 1);
  const ms = moveAlong(lines[at]!, now.ms, key);
  return ms === null ? null : { at, ms };
}

function snap(lines: readonly Line[], ms: number): number {
  const rows = lines.map((line) => [line, nearestRow(line, ms)] as const);
  const moments = rows.flatMap(([line, row]) => (row < 0 ? [] : momentOf(line, row)));
  const [nearest = ms] = moments.sort((a, b) => Math.abs(a - ms) - Math.abs(b - ms));
  return nearest;
}

/** Returns the moment at a position in the nearest panel and, if the panel shows a single series, that series. */
function hitOf(panels: readonly PlacedPanel[], x: number, y: number) {
  const outside = (at: number, from: number, length: number) => Math.max(from - at, at - from - length, 0);
  const distances = panels.map(({ left, top, width, height }) =>
    Math.hypot(outside(x, left, width), outside(y, top, height)),
  );
  const panel = panels[distances.indexOf(Math.min(...distances))];
  if (panel === undefined || panel.dates[0] === panel.dates[1]) return null;
  const [from, to] = panel.dates;
  const share = Math.min(1, Math.max(0, (x - panel.left) / panel.width));
  return { ms: from + share * (to - from), series: panel.isOfOne ? panel.series[0]! : null };
}

function CursorTable({ cursor, figure, panels }: Drawing & { cursor: Cursor }) {
  const shown = valuesAt(figure, cursor.ms);
  const rows = panels.some(({ isOfOne }) => isOfOne) ? shown.filter(({ at }) => at === cursor.at) : shown;
  const first = rows.find(({ at }) => at === cursor.at) ?? rows[0];
  if (first === undefined) return null;
  const head = periodOf(figure, first.line, first.row);
  // Lines may have values for different periods, such as a year and a day.
  const nameOf = ({ at, line, row }: (typeof rows)[number]) => {
    const period = figure.isOneYear ? head : periodOf(figure, line, row);
    return period === head ? figure.labels[at] : `${figure.labels[at]}, ${period}`;
  };
  const own = panels.find(({ isOfOne, series }) => !isOfOne || series.includes(cursor.at)) ?? panels[0];
  const [left, top] = own === undefined ? [0, 0] : [own.xAt(cursor.ms), own.top];
  const beside = left > TOOLTIP_WIDTH + 40 ? left - TOOLTIP_WIDTH - 12 : left + 12;
  const place = cursor.readout
    ? { inset: cursor.readout === 'above' ? 'auto 0 100%' : '100% 0 auto', width: 'auto' }
    : // If neither side has enough room, the tooltip covers the cursor.
      { left: `max(0px, min(${beside}px, 100% - ${TOOLTIP_WIDTH}px))`, top: `${top}px` };
  return (
    <>
      <svg class="marker" aria-hidden="true">
        {panels.map((panel, at) => (
          <PanelMarker key={at} panel={panel} ms={cursor.ms} shown={shown} />
        ))}
      </svg>
      <div class="tooltip" aria-hidden="true" style={place}>
        <p class="tooltip-date">{head}</p>
        <table>
          <tbody>
            {rows.slice(0, MAX_ROWS).map((one) => (
              <tr key={one.at} class={one.at === cursor.at && figure.labels.length > 1 ? 'focused' : ''}>
                <td>
                  <span class="swatch" style={{ background: one.colour }} />
                </td>
                <td class="tooltip-name">{nameOf(one)}</td>
                <td class="number">{valueText(one.line, one.row)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length > MAX_ROWS && <p>and {rows.length - MAX_ROWS} more</p>}
      </div>
    </>
  );
}

/** Returns the value of each series at a moment. Series that have no period containing the moment are left out. */
function valuesAt({ lines, colours }: ChartFigure, ms: number) {
  return lines.flatMap((line, at) => {
    const row = rowAt(line, ms);
    return row < 0 ? [] : [{ at, line, row, value: line.value[row]!, colour: colours[at] ?? '' }];
  });
}

/** Renders the cursor in a panel: a vertical line, a dot on each line and, if there is only one series, its value. */
function PanelMarker(props: { panel: PlacedPanel; ms: number; shown: ReturnType<typeof valuesAt> }) {
  const { panel, ms, shown } = props;
  const x = panel.xAt(ms);
  if (x < panel.left - 1 || x > panel.left + panel.width + 1) return null;
  const dots = shown.flatMap(({ at, line, row, value, colour }) => {
    const y = panel.series.includes(at) && !Number.isNaN(value) ? panel.yAt(value) : null;
    return y === null ? [] : [{ at, value, line, colour, x: panel.xAt(momentOf(line, row)), y }];
  });
  return (
    <>
      <line x1={x} x2={x} y1={panel.top} y2={panel.top + panel.height} />
      {dots.map((dot) => (
        <circle key={dot.at} cx={dot.x} cy={dot.y} r={4} fill={dot.colour} />
      ))}
      {panel.isOfOne && dots[0] !== undefined && (
        <text x={x} y={dots[0].y - 8} text-anchor={x > panel.left + panel.width / 2 ? 'end' : 'start'}>
          {WRITE.quantity(dots[0].value, '', figuresOf(dots[0].line))}
        </text>
      )}
    </>
  );
}

/** Returns the row whose period contains a moment, or -1 if there is none. */
export function rowAt({ start, end }: Line, ms: number): number {
  const row = start.findLastIndex((one) => one <= ms);
  return row >= 0 && ms < end[row]! + DAY_MS ? row : -1;
}

/** Returns the row whose value is plotted closest to a time, or -1 if the series has no values. */
export function nearestRow(line: Line, ms: number): number {
  let [nearest, least] = [-1, Number.POSITIVE_INFINITY];
  line.value.forEach((value, row) => {
    const distance = Math.abs(momentOf(line, row) - ms);
    if (distance < least && !Number.isNaN(value)) [nearest, least] = [row, distance];
  });
  return nearest;
}

/** Returns the moment to which a key moves the cursor along a series, or null if the key does not move the cursor. */
export function moveAlong(line: Line, ms: number, key: string): number | null {
  const now = nearestRow(line, ms);
  if (now < 0) return null;
  const rows = [...line.value.keys()].filter((row) => !Number.isNaN(line.value[row]!));
  const at = rows.indexOf(now);
  const yearsOn = (years: number) => nearestRow(line, shiftDate(momentOf(line, now), { years }));
  const row = {
    ArrowRight: rows[at + 1] ?? now,
    ArrowLeft: rows[at - 1] ?? now,
    PageDown: yearsOn(1),
    PageUp: yearsOn(-1),
    Home: rows[0],
    End: rows.at(-1),
  }[key];
  return row === undefined ? null : momentOf(line, row);
}
