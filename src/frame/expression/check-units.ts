import { ArgumentError } from '../../model/errors.js';
import { FUNCTIONS, SAME_UNIT } from './operators.js';
import type { Expression } from './parse.js';

/** The unit of a column: its id, with a name for messages. */
export interface ColumnUnit {
  unit_id: number;
  unit_name: string;
}

/**
 * Refuses an expression that adds, subtracts or compares columns of different units.
 * @param unitOf the unit of a column, or null where it is unknown
 * @throws ArgumentError that names both columns and their units
 */
export function checkUnits(expression: Expression, unitOf: (column: string) => ColumnUnit | null): void {
  unitOfPart(expression, unitOf);
}

/** The unit of a part and the column that it comes from; null where it is unknown. */
type PartUnit = (ColumnUnit & { column: string }) | null;

function unitOfPart(part: Expression, unitOf: (column: string) => ColumnUnit | null): PartUnit {
  const of = (each: Expression) => unitOfPart(each, unitOf);
  switch (part.kind) {
    case 'number':
      return null;
    case 'column': {
      const unit = unitOf(part.name);
      return unit && { ...unit, column: part.name };
    }
    case 'negate':
      return of(part.of);
    case 'not':
      of(part.of);
      return null;
    case 'binary': {
      const units = [of(part.left), of(part.right)];
      return SAME_UNIT.has(part.operator) ? oneUnit(units, part.operator) : null;
    }
    case 'choose':
      of(part.test);
      return oneUnit([of(part.yes), of(part.no)], '? :');
    case 'call': {
      const units = part.given.map(of);
      return FUNCTIONS[part.name].keepsUnit ? oneUnit(units, part.name) : null;
    }
  }
}

function oneUnit(units: readonly PartUnit[], operator: string): PartUnit {
  const known = units.filter((unit) => unit !== null);
  const [first] = known;
  const other = known.find(({ unit_id }) => unit_id !== first!.unit_id);
  if (other === undefined) return known.length === units.length ? (first ?? null) : null;
  throw new ArgumentError(
    'expression',
    `expression: ${operator} combines ${first!.column} in ${first!.unit_name} with ${other.column} in ${other.unit_name}; request both in one unit`,
  );
}
