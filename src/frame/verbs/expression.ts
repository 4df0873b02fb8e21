import jsep from 'jsep';
import { ArgumentError } from '../../model/errors.js';
import { nearestWord } from '../../model/names/edit-distance.js';

/** A checked expression over named columns. */
type Expression =
  | { kind: 'number'; value: number }
  | { kind: 'column'; name: string }
  | { kind: 'negate'; of: Expression }
  | { kind: 'not'; of: Expression }
  | { kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression }
  | { kind: 'choose'; test: Expression; yes: Expression; no: Expression }
  | { kind: 'call'; name: FunctionName; operands: Expression[] };

/**
 * Reads an expression in the syntax of JavaScript: numbers, names of columns, `+ - * / %`, comparisons, `&& || !`,
 * `test ? yes : no`, and functions.
 * @param columns the names that it may use
 * @throws ArgumentError that names what cannot be read, and the nearest known name
 */
export function parseExpression(text: string, columns: readonly string[]): Expression {
  const refuse = (what: string) =>
    new ArgumentError('expression', `expression: ${what} in ${JSON.stringify(text)}`);
  const read = (parsed: jsep.Expression): Expression => {
    const node = parsed as jsep.CoreExpression;
    switch (node.type) {
      case 'Literal':
        if (typeof node.value === 'number') return { kind: 'number', value: node.value };
        throw refuse(`${node.raw} is not a number`);
      case 'Identifier':
        if (columns.includes(node.name)) return { kind: 'column', name: node.name };
        throw refuse(unknownName(node.name, columns));
      case 'UnaryExpression':
        if (node.operator === '+') return read(node.argument);
        if (node.operator === '-') return { kind: 'negate', of: read(node.argument) };
        if (node.operator === '!') return { kind: 'not', of: read(node.argument) };
        throw refuse(`the operator ${node.operator} is unknown`);
      case 'BinaryExpression': {
        const operator = node.operator.replace('===', '==').replace('!==', '!=');
        if (!Object.hasOwn(OPERATORS, operator)) throw refuse(`the operator ${operator} is unknown`);
        return {
          kind: 'binary',
          operator: operator as BinaryOperator,
          left: read(node.left),
          right: read(node.right),
        };
      }
      case 'ConditionalExpression':
        return {
          kind: 'choose',
          test: read(node.test),
          yes: read(node.consequent),
          no: read(node.alternate),
        };
      case 'CallExpression':
        return readCall(node, read, refuse);
      default:
        throw refuse(`${node.type} is not supported; use numbers, columns, operators and functions`);
    }
  };
  return read(parseTree(text));
}

function parseTree(text: string): jsep.Expression {
  try {
    return jsep(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ArgumentError('expression', `expression: ${JSON.stringify(text)} cannot be read: ${reason}`, {
      cause,
    });
  }
}

function readCall(
  { callee, arguments: operands }: jsep.CallExpression,
  read: (node: jsep.Expression) => Expression,
  refuse: (what: string) => ArgumentError,
): Expression {
  const name = callee.type === 'Identifier' ? String(callee.name) : '';
  if (!Object.hasOwn(FUNCTIONS, name)) {
    throw refuse(
      `there is no function ${name || 'of this kind'}; there are ${Object.keys(FUNCTIONS).join(', ')}`,
    );
  }
  const [min, max] = FUNCTIONS[name as FunctionName].arity;
  if (operands.length < min || operands.length > max) {
    throw refuse(`${name} takes ${min === max ? min : `at least ${min}`} arguments, not ${operands.length}`);
  }
  return { kind: 'call', name: name as FunctionName, operands: operands.map(read) };
}

function unknownName(name: string, columns: readonly string[]): string {
  const nearest = nearestWord(name, columns);
  const listed = columns.slice(0, 12).join(', ');
  const remedy = nearest === undefined ? `it may use ${listed}` : `did you mean ${nearest}?`;
  return `there is no column ${name}; ${remedy}`;
}

/** Operators of two sides. Comparisons and logic give 1 or 0. */
type BinaryOperator = '+' | '-' | '*' | '/' | '%' | '<' | '<=' | '>' | '>=' | '==' | '!=' | '&&' | '||';

/** Each operator on two numbers, neither of them NaN. */
const OPERATORS: Readonly<Record<BinaryOperator, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '<': (a, b) => (a < b ? 1 : 0),
  '<=': (a, b) => (a <= b ? 1 : 0),
  '>': (a, b) => (a > b ? 1 : 0),
  '>=': (a, b) => (a >= b ? 1 : 0),
  '==': (a, b) => (a === b ? 1 : 0),
  '!=': (a, b) => (a !== b ? 1 : 0),
  '&&': (a, b) => (a !== 0 && b !== 0 ? 1 : 0),
  '||': (a, b) => (a !== 0 || b !== 0 ? 1 : 0),
};

/** The operators whose sides, and whose result, have one unit. */
const SAME_UNIT: ReadonlySet<BinaryOperator> = new Set(['+', '-', '%', '<', '<=', '>', '>=', '==', '!=']);

/** A function of one number, of two, or of several, which are combined pair by pair; none of them is NaN. */
interface FunctionRule {
  /** Minimum and maximum number of arguments. */
  arity: readonly [min: number, max: number];
  compute: (a: number, b: number) => number;
  /** Whether arguments and result have one unit. */
  keepsUnit: boolean;
}

const ONE = [1, 1] as const;
const SEVERAL = [1, Number.POSITIVE_INFINITY] as const;

/** The functions of expressions. */
const FUNCTIONS = {
  abs: { arity: ONE, compute: Math.abs, keepsUnit: true },
  ceil: { arity: ONE, compute: Math.ceil, keepsUnit: true },
  exp: { arity: ONE, compute: Math.exp, keepsUnit: false },
  floor: { arity: ONE, compute: Math.floor, keepsUnit: true },
  log: { arity: ONE, compute: Math.log, keepsUnit: false },
  log10: { arity: ONE, compute: Math.log10, keepsUnit: false },
  max: { arity: SEVERAL, compute: (a, b) => Math.max(a, b), keepsUnit: true },
  min: { arity: SEVERAL, compute: (a, b) => Math.min(a, b), keepsUnit: true },
  pow: { arity: [2, 2], compute: Math.pow, keepsUnit: false },
  round: { arity: ONE, compute: Math.round, keepsUnit: true },
  sqrt: { arity: ONE, compute: Math.sqrt, keepsUnit: false },
} as const satisfies Record<string, FunctionRule>;

/** The name of a function of expressions. */
type FunctionName = keyof typeof FUNCTIONS;

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
      const units = part.operands.map(of);
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
      return call(expression.name, expression.operands.map(of), rows);
  }
}

/** One argument is computed with 0 beside it, and more than two pair by pair. */
function call(name: FunctionName, [first, ...others]: Values[], rows: number): Values {
  const { compute, arity } = FUNCTIONS[name];
  if (arity[1] === 1) return binary(compute, first!, 0, rows);
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
