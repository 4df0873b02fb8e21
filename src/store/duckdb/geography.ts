import type { ShapeDetail, StoredShape } from '../store.js';
import type { Engine } from './engine.js';
import { idList, text } from './literals.js';

/** Shapes by ascending region; where the wanted detail is not there, the other one stands in. */
export async function readShapes(
  engine: Engine,
  regionIds: readonly number[],
  detail: ShapeDetail,
): Promise<StoredShape[]> {
  const rows = await engine.rows(
    `SELECT region_id, geojson FROM shape WHERE region_id IN (SELECT unnest(?))
     QUALIFY row_number() OVER (PARTITION BY region_id ORDER BY detail = ? DESC) = 1 ORDER BY region_id`,
    [idList(regionIds), text(detail)],
  );
  return rows as unknown as StoredShape[];
}
