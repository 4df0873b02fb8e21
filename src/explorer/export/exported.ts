import { type Signal, signal } from '@preact/signals';
import type { Table } from 'apache-arrow';
import { useEffect } from 'preact/hooks';
import type { Chart } from '../../charts/chart.js';
import type { Line } from '../../charts/lines.js';
import { ofAnyFrequency } from '../../model/series.js';
import { seriesName } from '../state/names.js';
import { page } from '../state/page.js';
import { points, shown } from '../state/points.js';
import { titleOf } from '../state/preferences.js';
import { type DataRequest, requestOf } from '../state/view-state.js';

/** The content for Download, Code and Cite. */
export interface Exported {
  /** The name of files. */
  readonly title: string;
  /** The figures as they are shown; null until they are there. */
  readonly shown: Table | null;
  /** The figures as a spreadsheet, where they are those of series. */
  readonly lines?: readonly Line[];
  /** The figures from which those are made, as stored; null where they are not here. */
  readonly whole: Table | null;
  /** The names of the two tables. */
  readonly labels: { readonly shown: string; readonly whole: string };
  /** The figures whose sources are cited, where they are not the whole ones. */
  readonly cited?: Table | null;
  /** The request of a program; null where a program differs. */
  readonly request: DataRequest | null;
  readonly names?: readonly string[];
  /** The steps of the page that the program leaves out, one sentence each. */
  readonly notes?: readonly string[];
  /** The operation of a client that a program in TypeScript calls, where it does not save the series of the request. */
  readonly call?: readonly [operation: string, ...given: unknown[]] | undefined;
}

const ofView: Signal<Exported | null> = signal(null);

/** Returns the export of the shown view: its figures, or those of the chosen series. */
export function exported(): Exported {
  return ofView.value ?? ofSeries();
}

/** Exports a view's own figures while it is shown. They are made again when one of `parts` changes. */
export function useExported(make: () => Exported, parts: readonly unknown[]): void {
  useEffect(() => {
    ofView.value = make();
    return () => {
      ofView.value = null;
    };
  }, parts);
}

function ofSeries(): Exported {
  const request = requestOf(page.value);
  const whole = points.loaded.value.value?.table ?? null;
  const { frame = null, lines = [] } = shown.loaded.value.value ?? {};
  const hows = new Map(lines.map(({ key, how }) => [ofAnyFrequency(key), how ?? null]));
  return {
    title: titleOf(page.value),
    shown: frame,
    lines,
    whole,
    labels: { shown: 'As shown', whole: 'Whole, as stored' },
    request: {
      ...request,
      hows: request.series.map((key) => hows.get(ofAnyFrequency(key)) ?? null),
      formulaUnit: lines[0]?.unit,
    },
    names: request.series.map(seriesName),
  };
}

/** Draws the chart on the screen again, with its texts, for a file; null where no chart is shown. */
export const drawable = signal<((size: { width: number; height: number }) => Chart | Promise<Chart>) | null>(
  null,
);
