import type { Table } from 'apache-arrow';
import fc from 'fast-check';
import { longFrame } from '../../../src/frame/build/long.js';
import { wideFrame } from '../../../src/frame/build/wide.js';
import { frame } from '../../../src/frame/frame.js';
import { anyPointSet, NAMES, PROVENANCE } from '../points.js';

/** Any frame: long with or without names, or wide. */
export const anyFrame: fc.Arbitrary<Table> = fc
  .record({ points: anyPointSet(), shape: fc.constantFrom('long', 'named', 'wide') })
  .map(({ points, shape }) => {
    if (shape === 'wide') return wideFrame(points, { names: NAMES, provenance: PROVENANCE });
    return longFrame(points, { names: shape === 'named' ? NAMES : undefined, provenance: PROVENANCE });
  });

/** The contents of a frame for comparison: names, types, nullability, field metadata and values. */
export function contents(table: Table) {
  return {
    fields: table.schema.fields.map((field) => ({
      name: field.name,
      type: String(field.type),
      nullable: field.nullable,
      metadata: [...field.metadata].sort(),
    })),
    rows: frame(table).toRows(),
  };
}
