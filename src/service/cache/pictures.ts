import type { ChartQuery } from '../../contract/requests/chart.js';
import type { StoreReader } from '../../store/store.js';
import { perVersion } from './per-version.js';

/**
 * Draws the chart of a query as an SVG document, from what the service answers to `ask`.
 * @throws ArgumentError when the series cannot be drawn so; NotFoundError when they have no values
 */
export type DrawChart = (query: ChartQuery, ask: (request: Request) => Promise<Response>) => Promise<string>;

/** Charts of some hundred kilobytes each. */
const MAX_KEPT = 50;

/** Charts of the store's version: each is drawn once, and one at a time, because drawing keeps the processor busy. */
export class Pictures {
  readonly #drawn: () => Promise<Map<string, Promise<string>>>;
  readonly #draw: (query: ChartQuery) => Promise<string>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: StoreReader, draw: (query: ChartQuery) => Promise<string>) {
    this.#draw = draw;
    this.#drawn = perVersion(store, async () => new Map());
  }

  /** The chart as an SVG document. */
  async of(query: ChartQuery): Promise<string> {
    const drawn = await this.#drawn();
    const key = JSON.stringify(query);
    const known = drawn.get(key);
    const picture = known ?? this.#last.then(() => this.#draw(query));
    if (known === undefined) this.#last = picture.catch(() => drawn.delete(key));
    drawn.delete(key);
    drawn.set(key, picture);
    const [oldest] = drawn.keys();
    if (drawn.size > MAX_KEPT) drawn.delete(oldest!);
    return picture;
  }
}
