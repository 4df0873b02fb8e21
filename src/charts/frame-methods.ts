import type { TypeMap } from 'apache-arrow';
import { Frame } from '../frame/frame.js';
import { isPlainObject } from '../model/schema/check.js';
import type { Chart } from './chart.js';
import { type FramePlotOptions, plotFrame } from './frame.js';
import { type PlotOptions, plot } from './plot.js';

declare module '../frame/frame.js' {
  interface Frame<Columns extends TypeMap> {
    /**
     * Draws columns. Numbers and dates have continuous axes. Strings and booleans have one position per value, in the
     * order of the rows. Bars and boxes have one position per number, in ascending order. Rows without a value in a
     * drawn column are left out, and the chart says how many. The method exists where `cropframe/charts` is loaded.
     * @throws ArgumentError when a column does not exist or does not suit the mark, several rows share one position on a
     *   line or one bar, values have several units, there are more than eight colours of strings or dates, or there are
     *   more than 100,000 rows
     */
    plot(options: PlotOptions<keyof Columns & string>): Chart;
    /**
     * Draws each series over time as a line, and, where there is `end_date`, each other column of numbers except ids:
     * one panel for each unit, or up to three axes with `axes: 'one'`; above eight series, one panel for each. A line
     * breaks where periods of its frequency are missing. Where frequencies are mixed, coarser values are steps over
     * their periods. Names, units and sources are those of the frame. The method exists where `cropframe/charts` is
     * loaded.
     * @throws ArgumentError when the frame has no dates or no values, a series has several values for one period, the
     *   series have more than six units, or there are more than 60 of them and none is highlighted
     */
    plot(options?: FramePlotOptions): Chart;
  }
}

const COLUMN_OPTIONS: readonly string[] = ['x', 'y', 'color', 'mark'] satisfies (keyof PlotOptions)[];

/** Draws columns if options name any, otherwise series. */
function plotMethod(this: Frame, options: PlotOptions | FramePlotOptions = {}): Chart {
  const drawsColumns = isPlainObject(options) && COLUMN_OPTIONS.some((name) => name in options);
  return drawsColumns ? plot(this, options as PlotOptions) : plotFrame(this, options as FramePlotOptions);
}

// Methods of a class are not enumerable.
Object.defineProperty(Frame.prototype, 'plot', { value: plotMethod, writable: true, configurable: true });
