/** A Vega-Lite specification: plain data, which can be changed, written as JSON, and drawn by any Vega-Lite from 5 on. */
export interface VegaLiteSpec {
  /** The version of Vega-Lite. */
  readonly $schema: string;
  /** What the chart shows, for readers who cannot see it. */
  readonly description: string;
  /** All other properties of the specification. */
  readonly [property: string]: unknown;
}
