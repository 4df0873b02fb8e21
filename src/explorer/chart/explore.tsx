import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { COLOURS } from '../../charts/theme.js';
import { DAY_MS, formatDay } from '../../model/time.js';
import { announce } from '../controls/announce.js';
import { formatDayOfYear, formatNumber, formatPeriod } from '../controls/format.js';
import type { Line } from '../state/lines.js';
import { drag } from '../state/page.js';
import type { Drawing, Upright } from './drawing.js';

/** Where the cursor is. */
interface Cursor {
  readonly ms: number;
  /** The series that the keys move along. */
  readonly at: number;
  readonly isPinned: boolean;
}

const NO_LINES: readonly Line[] = [];

/** Rows of the table beside the cursor. */
const MAX_ROWS = 12;
const TOOLTIP_WIDTH = 260;

/** The values of a chart at a moment, by pointer and by keys. */
export function Explore({
  drawing,
  isOneYear,
  helpId,
  children,
}: {
  drawing: Drawing | null;
  /** Whether the years of the lines lie over one another, so that dates have no year. */
  isOneYear: boolean;
  helpId: string;
  children: ComponentChildren;
}) {
  const cursor = useSignal<Cursor | null>(null);
  const lines = drawing?.lines ?? NO_LINES;
  const figure = drawing?.chart.figure;
  useEffect(() => {
    cursor.value = null;
  }, [lines]);
  const labelOf = (at: number) => figure?.labels[at] ?? '';
  const periodOf = ({ start, end }: Line, row: number) =>
    isOneYear ? formatDayOfYear(start[row]!) : formatPeriod(start[row]!, end[row]!);
  const say = ({ ms, at }: Cursor) => {
    const line = lines[at]!;
    const row = nearestRow(line, ms);
    if (row < 0) return;
    announce(`${periodOf(line, row)}, ${labelOf(at)}, ${formatNumber(line.value[row]!)} ${line.unit}`);
  };
  const place = (next: Cursor) => {
    cursor.value = next;
    say(next);
  };
  const onPointerMove = (event: PointerEvent) => {
    if (drawing === null || cursor.value?.isPinned === true) return;
    const { left, top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const hit = drawing.at(event.clientX - left, event.clientY - top);
    cursor.value = hit && {
      ms: snap(hit.series === null ? lines : [lines[hit.series]!], hit.ms),
      at: hit.series ?? cursor.value?.at ?? 0,
      isPinned: false,
    };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (lines.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const now = cursor.value ?? { ms: lines[0]!.start.at(-1)!, at: 0, isPinned: false };
    const next = keyMove(event.key, now, lines);
    if (next === null) {
      const factor = { '+': 0.5, '=': 0.5, '-': 2 }[event.key];
      if (factor === undefined) {
        if (event.key === 'Escape') cursor.value = null;
        return;
      }
      event.preventDefault();
      zoom(lines, now.ms, factor);
      return;
    }
    event.preventDefault();
    place(next);
  };
  return (
    <div
      class="explore"
      role="application"
      aria-label={figure?.description ?? 'Chart'}
      aria-describedby={helpId}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys read the values of the figure
      tabIndex={0}
      onPointerMove={onPointerMove}
      onPointerLeave={() => {
        if (cursor.value?.isPinned !== true) cursor.value = null;
      }}
      onClick={() => {
        if (cursor.value !== null) cursor.value = { ...cursor.value, isPinned: !cursor.value.isPinned };
      }}
      onKeyDown={onKeyDown}
    >
      {children}
      {cursor.value !== null && drawing !== null && (
        <CursorTable cursor={cursor.value} drawing={drawing} labelOf={labelOf} periodOf={periodOf} />
      )}
    </div>
  );
}

function keyMove(key: string, now: Cursor, lines: readonly Line[]): Cursor | null {
  if (key === 'Enter') return { ...now, isPinned: !now.isPinned };
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    const at = (now.at + (key === 'ArrowDown' ? 1 : lines.length - 1)) % lines.length;
    return { ...now, at };
  }
  const ms = moveAlong(lines[Math.min(now.at, lines.length - 1)]!, now.ms, key);
  return ms === null ? null : { ...now, at: Math.min(now.at, lines.length - 1), ms };
}

/** The start of the period that begins nearest to a moment, of all series. */
function snap(lines: readonly Line[], ms: number): number {
  let nearest = ms;
  let distance = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const row = nearestRow(line, ms);
    if (row < 0 || Math.abs(line.start[row]! - ms) >= distance) continue;
    distance = Math.abs(line.start[row]! - ms);
    nearest = line.start[row]!;
  }
  return nearest;
}

function zoom(lines: readonly Line[], ms: number, factor: number): void {
  const from = Math.min(...lines.map(({ start }) => start[0]!));
  const to = Math.max(...lines.map(({ end }) => end.at(-1)!));
  drag({ from: formatDay(ms - (ms - from) * factor), to: formatDay(ms + (to - ms) * factor) });
}

/** Beside the line, where there is room for it. */
function tooltipAt({ x, top }: Upright): { left: string; top: string } {
  const left = x > TOOLTIP_WIDTH + 40 ? x - TOOLTIP_WIDTH - 12 : x + 12;
  return { left: `${left}px`, top: `${top + 8}px` };
}

function CursorTable({
  cursor,
  drawing,
  labelOf,
  periodOf,
}: {
  cursor: Cursor;
  drawing: Drawing;
  labelOf: (at: number) => string;
  periodOf: (line: Line, row: number) => string;
}) {
  const place = drawing.positionOf(cursor.ms, cursor.at);
  const isInPanels = drawing.chart.figure.panels !== null;
  const rows = drawing.lines.flatMap((line, at) => {
    // A panel shows one series.
    const row = isInPanels && at !== cursor.at ? -1 : rowAt(line, cursor.ms);
    return row < 0 ? [] : [{ at, line, row }];
  });
  const first = rows.find(({ at }) => at === cursor.at) ?? rows[0];
  if (first === undefined) return null;
  return (
    <>
      {place !== null && (
        <div
          class="rule"
          aria-hidden="true"
          style={{ left: `${place.x}px`, top: `${place.top}px`, height: `${place.height}px` }}
        />
      )}
      <div
        class={cursor.isPinned ? 'tooltip pinned' : 'tooltip'}
        aria-hidden="true"
        style={place === null ? {} : tooltipAt(place)}
      >
        <p class="tooltip-date">{periodOf(first.line, first.row)}</p>
        <table>
          <tbody>
            {rows.slice(0, MAX_ROWS).map(({ at, line, row }) => (
              <tr key={at} class={at === cursor.at ? 'focused' : ''}>
                <td>
                  <span class={`swatch colour-${isInPanels ? 0 : at % COLOURS.length}`} />
                </td>
                <td class="tooltip-name">{labelOf(at)}</td>
                <td class="number">
                  {formatNumber(line.value[row]!)} {line.unit}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length > MAX_ROWS && <p>and {rows.length - MAX_ROWS} more</p>}
      </div>
    </>
  );
}

/** The first row whose number is not below a wanted one. */
function lowerBound(sorted: Float64Array, wanted: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The row whose period holds a moment; -1 where no period of the series does. */
export function rowAt({ start, end }: Line, ms: number): number {
  const row = lowerBound(start, ms + 1) - 1;
  return row >= 0 && ms < end[row]! + DAY_MS ? row : -1;
}

/** The row with a value whose period begins nearest to a moment; -1 in a series without values. */
export function nearestRow(line: Line, ms: number): number {
  const at = lowerBound(line.start, ms);
  const after = nextKnown(line, at, 1);
  const before = nextKnown(line, at - 1, -1);
  if (before < 0 || after < 0) return Math.max(before, after);
  return ms - line.start[before]! <= line.start[after]! - ms ? before : after;
}

/** The first row with a value from a row on, in a direction; -1 where there is none. */
function nextKnown({ value }: Line, from: number, step: 1 | -1): number {
  for (let row = from; row >= 0 && row < value.length; row += step)
    if (!Number.isNaN(value[row]!)) return row;
  return -1;
}

/** The moment to which a key moves from another one along a series; null for a key that does not move. */
export function moveAlong(line: Line, ms: number, key: string): number | null {
  const at = nearestRow(line, ms);
  if (at < 0) return null;
  const startOf = (row: number) => line.start[row < 0 ? at : row]!;
  switch (key) {
    case 'ArrowRight':
      return startOf(nextKnown(line, at + 1, 1));
    case 'ArrowLeft':
      return startOf(nextKnown(line, at - 1, -1));
    case 'PageDown':
      return startOf(nearestRow(line, shiftYears(line.start[at]!, 1)));
    case 'PageUp':
      return startOf(nearestRow(line, shiftYears(line.start[at]!, -1)));
    case 'Home':
      return startOf(nextKnown(line, 0, 1));
    case 'End':
      return startOf(nextKnown(line, line.value.length - 1, -1));
    default:
      return null;
  }
}

function shiftYears(ms: number, years: number): number {
  const date = new Date(ms);
  return date.setUTCFullYear(date.getUTCFullYear() + years);
}
