import type { Importer } from '../../src/ingest/importer.js';
import { readReferenceData } from '../../src/ingest/reference-data.js';
import { NewPointsBuilder } from '../new-points.js';

/** An importer of made-up points of these sources, with the entities that every importer brings. */
export function madeUpPoints(
  sources: Parameters<typeof readReferenceData>[0],
  addPoints: (points: NewPointsBuilder, importedMs: number) => void,
): Importer {
  return {
    dataset: 'made up',
    summary: 'made up',
    needsFiles: false,
    async *read({ importedMs }) {
      yield* readReferenceData(sources);
      const points = new NewPointsBuilder();
      addPoints(points, importedMs);
      yield { points: points.take() };
    },
  };
}
