import type { TypeMap } from 'apache-arrow';
import { Frame } from '../frame/frame.js';
import { isPlainObject } from '../model/schema/check.js';
import type { Chart, FramePlotOptions } from './chart.js';
import { plotFrame } from './frame.js';
import { type PlotOptions, plot } from './plot.js';

declare module '../frame/frame.js' {
  interface Frame<Columns extends TypeMap> {
    /**
     * Plots columns. Numbers and dates have continuous axes. Strings and booleans have one position per distinct value,
     * in row order. In bar and box plots, each distinct number has its own position, in ascending order. Rows with a
     * missing value in a plotted column are left out, and the chart says how many. The method is available once
     * `cropframe/charts` is imported.
     * @throws ArgumentError if a column does not exist or does not suit the mark, several rows share a position in a
     * line or bar plot, values have different units, the colour column has more than eight distinct strings (or, except
     * for `scatter`, dates), or there are more than 100,000 rows
     */
    plot(options: PlotOptions<keyof Columns & string>): Chart;
    /**
     * Plots each series as a line over time. If the frame has an `end_date` column, other numeric columns except ids
     * are also plotted. Each unit has its own panel. If there are more than eight series, each has its own panel. A
     * line breaks where periods are missing. If frequencies differ, values of longer periods are drawn as steps. Names,
     * units and sources are taken from the frame. The method is available once `cropframe/charts` is imported.
     * @throws ArgumentError if the frame has no dates or no values, a series has several values for the same period,
     * there are more than 60 series, or there are more than eight series with different units
     */
    plot(options?: FramePlotOptions): Chart;
  }
}

const COLUMN_OPTIONS: readonly string[] = ['x', 'y', 'color', 'mark'] satisfies (keyof PlotOptions)[];

/** Plots columns if the options name any; otherwise plots the series. */
function plotMethod(this: Frame, options: PlotOptions | FramePlotOptions = {}): Chart {
  const drawsColumns = isPlainObject(options) && COLUMN_OPTIONS.some((name) => name in options);
  return drawsColumns ? plot(this, options as PlotOptions) : plotFrame(this, options as FramePlotOptions);
}

// Like a method declared in a class, the property is not enumerable.
Object.defineProperty(Frame.prototype, 'plot', { value: plotMethod, writable: true, configurable: true });
