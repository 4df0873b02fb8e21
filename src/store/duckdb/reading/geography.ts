import type { ShapeDetail, StoredShape } from '../../store.js';
import type { Engine } from '../engine/engine.js';
import { oneOf, text } from '../engine/literals.js';

/** Shapes by ascending region; where the wanted detail is not there, the other one stands in. */
export async function readShapes(
  engine: Engine,
  regionIds: readonly number[],
  detail: ShapeDetail,
): Promise<StoredShape[]> {
  const { where, bound } = oneOf('region_id', regionIds);
  const rows = await engine.rows(
    `SELECT region_id, geojson FROM shape WHERE ${where}
     QUALIFY row_number() OVER (PARTITION BY region_id ORDER BY detail = ? DESC) = 1 ORDER BY region_id`,
    [...bound, text(detail)],
  );
  return rows as unknown as StoredShape[];
}
