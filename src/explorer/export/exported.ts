import { type Signal, signal } from '@preact/signals';
import type { Table } from 'apache-arrow';
import { useEffect } from 'preact/hooks';
import type { Chart } from '../../charts/chart.js';
import type { Line } from '../../charts/lines.js';
import { ofAnyFrequency } from '../../model/series.js';
import type { Size } from '../chart/drawing.js';
import { seriesName } from '../state/names.js';
import { page } from '../state/page.js';
import { points, shown } from '../state/points.js';
import type { DataRequest } from '../state/view-state.js';
import type { ViewTable } from '../table/series-table.js';

/** A part of a view's data that can be saved as a table, or as points with one point per row. */
export interface ExportedPart {
  readonly label: string;
  /** The title, from which file names are made; by default, the title that a chart of the points would have. */
  readonly title?: string;
  /** What distinguishes the part from others with the same title in the names of files. */
  readonly detail?: string;
  /** The points with their sources, or null if the values are computed from another part's values. */
  readonly points: Table | null;
  /** The lines to include in a period table; by default, one for each series that has points. */
  readonly lines?: readonly Line[];
  readonly table?: () => ViewTable;
}

export interface Exported {
  /** The data as shown, and the data from which they are derived. Empty until the data are loaded. */
  readonly parts: readonly ExportedPart[];
  /** The request that the exported program makes, or null if the program uses `call` instead. */
  readonly request: DataRequest | null;
  readonly names?: readonly string[];
  /** The transformations that the program does not perform, each in one sentence. */
  readonly notes?: readonly string[];
  /** The client operation that the exported program calls instead of fetching the request's series. */
  readonly call?: readonly [operation: string, ...given: unknown[]] | undefined;
}

export const viewExport = signal<Exported | null>(null);

export function currentExport(): Exported {
  return viewExport.value ?? exportSeries();
}

/** Sets a signal's value while a component is mounted. The value is recomputed when one of `parts` changes. */
export function useHeld<Value>(
  held: Signal<Value | null>,
  make: () => Value | null,
  parts: readonly unknown[],
): void {
  useEffect(() => {
    held.value = make();
    return () => (held.value = null);
  }, parts);
}

function exportSeries(): Exported {
  const { series, scale, from, to } = page.value;
  const { frame = null, lines = [], rows = [], unit, window } = shown.loaded.value.value ?? {};
  const hows = new Map(lines.map(({ key, how }) => [ofAnyFrequency(key), how ?? null]));
  const stored = points.loaded.value.value?.table;
  const usual = scale === 'usual' && 'latest year and usual range';
  const detail = [usual, from && `from ${from}`, to && `to ${to}`].filter(Boolean).join(' ');
  return {
    parts: [
      ...(frame ? [{ label: 'As shown', detail, points: frame, lines: rows }] : []),
      ...(stored ? [{ label: 'All values, as stored', detail: 'as stored', points: stored }] : []),
    ],
    request: {
      ...page.value,
      hows: series.map((key) => hows.get(ofAnyFrequency(key)) ?? null),
      formulaUnit: unit,
      window,
    },
    names: series.map(seriesName),
  };
}

/** A function that redraws the current chart, including its texts, for export to a file. Null if no chart is shown. */
export const drawable = signal<((size: Size) => Chart | Promise<Chart>) | null>(null);
