/** Operators of two sides. Comparisons and logic give 1 or 0. */
export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '<'
  | '<='
  | '>'
  | '>='
  | '=='
  | '!='
  | '&&'
  | '||';

/** Each operator on two numbers, neither of them NaN. */
export const OPERATORS: Readonly<Record<BinaryOperator, (a: number, b: number) => number>> = {
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
export const SAME_UNIT: ReadonlySet<BinaryOperator> = new Set([
  '+',
  '-',
  '%',
  '<',
  '<=',
  '>',
  '>=',
  '==',
  '!=',
]);

/** A function of one number, of two, or of several, which are combined pair by pair; none of them is NaN. */
interface FunctionRule {
  /** Minimum and maximum number of arguments. */
  given: readonly [min: number, max: number];
  compute: (a: number, b: number) => number;
  /** Whether arguments and result have one unit. */
  keepsUnit: boolean;
}

const ONE = [1, 1] as const;
const SEVERAL = [1, Number.POSITIVE_INFINITY] as const;

/** The functions of expressions. */
export const FUNCTIONS = {
  abs: { given: ONE, compute: Math.abs, keepsUnit: true },
  ceil: { given: ONE, compute: Math.ceil, keepsUnit: true },
  exp: { given: ONE, compute: Math.exp, keepsUnit: false },
  floor: { given: ONE, compute: Math.floor, keepsUnit: true },
  log: { given: ONE, compute: Math.log, keepsUnit: false },
  log10: { given: ONE, compute: Math.log10, keepsUnit: false },
  max: { given: SEVERAL, compute: (a, b) => Math.max(a, b), keepsUnit: true },
  min: { given: SEVERAL, compute: (a, b) => Math.min(a, b), keepsUnit: true },
  pow: { given: [2, 2], compute: Math.pow, keepsUnit: false },
  round: { given: ONE, compute: Math.round, keepsUnit: true },
  sqrt: { given: ONE, compute: Math.sqrt, keepsUnit: false },
} as const satisfies Record<string, FunctionRule>;

/** The name of a function of expressions. */
export type FunctionName = keyof typeof FUNCTIONS;
