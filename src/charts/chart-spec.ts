/** One line of a chart; `x` and `y` are in data units, and NaN in `y` breaks the line. */
export interface ChartLine {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** Text at the end of the line. */
  readonly label?: string | undefined;
  readonly colour: string;
  readonly width: number;
  readonly dash?: string | undefined;
}

/** A filled band between two curves over the same `x`. */
export interface ChartBand {
  readonly x: ArrayLike<number>;
  readonly low: ArrayLike<number>;
  readonly high: ArrayLike<number>;
  readonly label: string;
  readonly colour: string;
}

export interface ChartTick {
  readonly at: number;
  readonly text: string;
}

/** The content of a chart. Bands are drawn before lines, both in their order. */
export interface Chart {
  readonly title: string;
  readonly subtitle?: string | undefined;
  /** Text alternative for readers who cannot see the chart. */
  readonly description: string;
  /** Sources of the values, below the chart. */
  readonly source?: string | undefined;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly xDomain: readonly [number, number];
  readonly xTicks: readonly ChartTick[];
  readonly lines: readonly ChartLine[];
  readonly bands?: readonly ChartBand[] | undefined;
  /** Size of the chart in pixels; 860 × 520 by default. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}
