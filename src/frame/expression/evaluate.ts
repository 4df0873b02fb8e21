import { FUNCTIONS, type FunctionName, OPERATORS } from './operators.js';
import type { Expression } from './parse.js';

/** The value of a part of an expression: one for each row, or the same for all. */
type Values = Float64Array | number;

/**
 * The value of an expression for each row. NaN, which is null, in any part that it uses makes it NaN; so does a result that
 * is not finite, such as that of a division by zero.
 * @param columns one value for each row, NaN where it is null
 */
export function evaluate(
  expression: Expression,
  columns: Pick<ReadonlyMap<string, Float64Array>, 'get'>,
  rows: number,
): Float64Array {
  const values = valuesOf(expression, columns, rows);
  const all = typeof values === 'number' ? new Float64Array(rows).fill(values) : values;
  return all.map((value) => (Number.isFinite(value) ? value : Number.NaN));
}

function valuesOf(
  expression: Expression,
  columns: Pick<ReadonlyMap<string, Float64Array>, 'get'>,
  rows: number,
): Values {
  const of = (part: Expression) => valuesOf(part, columns, rows);
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'column':
      return columns.get(expression.name)!;
    case 'negate':
      return binary((value) => -value, of(expression.of), 0, rows);
    case 'not':
      return binary((value) => (value === 0 ? 1 : 0), of(expression.of), 0, rows);
    case 'binary':
      return binary(OPERATORS[expression.operator], of(expression.left), of(expression.right), rows);
    case 'choose':
      return choose(of(expression.test), of(expression.yes), of(expression.no), rows);
    case 'call':
      return call(expression.name, expression.given.map(of), rows);
  }
}

/** One argument is computed with 0 beside it, and more than two pair by pair. */
function call(name: FunctionName, [first, ...others]: Values[], rows: number): Values {
  const { compute, given } = FUNCTIONS[name];
  if (given[1] === 1) return binary(compute, first!, 0, rows);
  return others.reduce((values, other) => binary(compute, values, other, rows), first!);
}

function binary(
  compute: (a: number, b: number) => number,
  left: Values,
  right: Values,
  rows: number,
): Values {
  if (typeof left === 'number' && typeof right === 'number') return compute(left, right);
  const result = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const a = typeof left === 'number' ? left : left[row]!;
    const b = typeof right === 'number' ? right : right[row]!;
    result[row] = Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : compute(a, b);
  }
  return result;
}

function choose(test: Values, yes: Values, no: Values, rows: number): Values {
  const at = (values: Values, row: number) => (typeof values === 'number' ? values : values[row]!);
  return Float64Array.from({ length: rows }, (_, row) => {
    const chosen = at(test, row);
    if (Number.isNaN(chosen)) return Number.NaN;
    return at(chosen === 0 ? no : yes, row);
  });
}
