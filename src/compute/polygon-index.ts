import { type BoxedPolygon, type PolygonArea, polygonContains } from './polygons.js';

interface Entry<Known> {
  readonly known: Known;
  readonly polygon: BoxedPolygon;
}

/** Finds the area that contains a position, among those whose boxes share a cell of one degree with it. */
export class PolygonIndex<Known extends PolygonArea> {
  readonly #cells = new Map<number, Entry<Known>[]>();

  private constructor() {}

  /** @param yieldToEventLoop awaited regularly, so that a service can answer other requests during the build */
  static async build<Known extends PolygonArea>(
    areas: readonly Known[],
    yieldToEventLoop: () => Promise<void> = async () => {},
  ): Promise<PolygonIndex<Known>> {
    const index = new PolygonIndex<Known>();
    for (const known of [...areas].sort((a, b) => boxSize(a) - boxSize(b))) {
      await yieldToEventLoop();
      for (const polygon of known.polygons) index.#add({ known, polygon });
    }
    return index;
  }

  /** The area; of several the one with the smallest box, so that an enclave is found before what surrounds it. */
  find(longitude: number, latitude: number): Known | null {
    const candidates = this.#cells.get(cellOf(Math.floor(longitude), Math.floor(latitude))) ?? [];
    const position = [longitude, latitude];
    return candidates.find(({ polygon }) => polygonContains(polygon, position))?.known ?? null;
  }

  #add(entry: Entry<Known>): void {
    const [west, south, east, north] = entry.polygon.box.map(Math.floor) as [number, number, number, number];
    for (let column = west; column <= east; column++) {
      for (let row = south; row <= north; row++) {
        const cell = cellOf(column, row);
        const entries = this.#cells.get(cell);
        if (entries === undefined) this.#cells.set(cell, [entry]);
        else entries.push(entry);
      }
    }
  }
}

function cellOf(column: number, row: number): number {
  return column * 1000 + row;
}

function boxSize({ box: [west, south, east, north] }: PolygonArea): number {
  return (east - west) * (north - south);
}
