import type { TypeMap } from 'apache-arrow';
import { Frame } from '../frame/frame.js';
import { isPlainObject } from '../model/schema/check.js';
import type { Chart } from './chart.js';
import { type FramePlotOptions, plotFrame } from './frame.js';
import { type PlotOptions, plot } from './plot.js';

declare module '../frame/frame.js' {
  interface Frame<Columns extends TypeMap> {
    /**
     * Plots columns. Numbers and dates have continuous axes. Strings and booleans have one position for each distinct
     * value, in the order of the rows. Bars and boxes have one position for each number, in ascending order. Rows with
     * a missing value in a plotted column are left out, and the chart states their number. The method exists once
     * `cropframe/charts` is imported.
     * @throws ArgumentError when a column does not exist or does not suit the mark, several rows share a position on a
     * line or a bar, values have several units, there are more than eight strings or dates to colour, or there are more
     * than 100,000 rows
     */
    plot(options: PlotOptions<keyof Columns & string>): Chart;
    /**
     * Plots each series over time as a line. If the frame has `end_date`, other numeric columns except ids are plotted
     * too. Each unit has its own panel; `axes: 'one'` puts up to three units into one panel. More than eight series
     * have a panel each. A line breaks where periods of its frequency are missing. With mixed frequencies, coarser
     * values are drawn as steps over their periods. Names, units and sources come from the frame. The method exists
     * once `cropframe/charts` is imported.
     * @throws ArgumentError when the frame has no dates or no values, a series has several values for one period, the
     * series have more than six units, or there are more than 60 series and none is highlighted
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

// The property is not enumerable, like a method of a class.
Object.defineProperty(Frame.prototype, 'plot', { value: plotMethod, writable: true, configurable: true });
