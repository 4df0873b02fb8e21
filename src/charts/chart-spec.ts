/** One line of a chart; `x` and `y` are in data units, NaN in `y` breaks the line. */
export interface ChartLine {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** Written at the line's end; no label when absent. */
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

/** Everything that a chart shows; lines and bands are drawn in their order, bands first. */
export interface Chart {
  readonly title: string;
  readonly subtitle?: string | undefined;
  /** What a reader who cannot see the picture is told. */
  readonly description: string;
  /** Where the figures come from, under the picture. */
  readonly source?: string | undefined;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly xDomain: readonly [number, number];
  readonly xTicks: readonly ChartTick[];
  readonly lines: readonly ChartLine[];
  readonly bands?: readonly ChartBand[] | undefined;
  /** Whole picture in pixels; 860 × 520 by default. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}
