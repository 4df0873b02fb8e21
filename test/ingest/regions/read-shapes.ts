import { readRegionFile } from '../../../src/ingest/regions/tree.js';
import type { NewShape } from '../../../src/store/store.js';

/** All shapes of the package's file: the simple ones, then the full ones. */
export async function readAllShapes(): Promise<NewShape[]> {
  const read = (detail: NewShape['detail']) =>
    readRegionFile<NewShape>(
      `id AS region_id, '${detail}' AS detail, ${detail}_shape AS geojson`,
      `${detail}_shape IS NOT NULL`,
    );
  return [...(await read('simple')), ...(await read('full'))];
}
