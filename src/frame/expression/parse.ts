import jsep from 'jsep';
import { ArgumentError } from '../../model/errors.js';
import { nearestWord } from '../../model/names/edit-distance.js';
import { type BinaryOperator, FUNCTIONS, type FunctionName, OPERATORS } from './operators.js';

/** A checked expression over named columns. */
export type Expression =
  | { kind: 'number'; value: number }
  | { kind: 'column'; name: string }
  | { kind: 'negate'; of: Expression }
  | { kind: 'not'; of: Expression }
  | { kind: 'binary'; operator: BinaryOperator; left: Expression; right: Expression }
  | { kind: 'choose'; test: Expression; yes: Expression; no: Expression }
  | { kind: 'call'; name: FunctionName; given: Expression[] };

/**
 * Reads an expression in the syntax of JavaScript: numbers, names of columns, `+ - * / %`, comparisons, `&& || !`,
 * `test ? yes : no`, and functions.
 * @param known the names that it may use
 * @throws ArgumentError that names what cannot be read, and the nearest known name
 */
export function parseExpression(text: string, known: readonly string[]): Expression {
  const refuse = (what: string) =>
    new ArgumentError('expression', `expression: ${what} in ${JSON.stringify(text)}`);
  const read = (given: jsep.Expression): Expression => {
    const node = given as jsep.CoreExpression;
    switch (node.type) {
      case 'Literal':
        if (typeof node.value === 'number') return { kind: 'number', value: node.value };
        throw refuse(`${node.raw} is not a number`);
      case 'Identifier':
        if (known.includes(node.name)) return { kind: 'column', name: node.name };
        throw refuse(unknownName(node.name, known));
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
  { callee, arguments: given }: jsep.CallExpression,
  read: (node: jsep.Expression) => Expression,
  refuse: (what: string) => ArgumentError,
): Expression {
  const name = callee.type === 'Identifier' ? String(callee.name) : '';
  if (!Object.hasOwn(FUNCTIONS, name)) {
    throw refuse(
      `there is no function ${name || 'of this kind'}; there are ${Object.keys(FUNCTIONS).join(', ')}`,
    );
  }
  const [min, max] = FUNCTIONS[name as FunctionName].given;
  if (given.length < min || given.length > max) {
    throw refuse(`${name} takes ${min === max ? min : `at least ${min}`} arguments, not ${given.length}`);
  }
  return { kind: 'call', name: name as FunctionName, given: given.map(read) };
}

function unknownName(name: string, known: readonly string[]): string {
  const nearest = nearestWord(name, known);
  const listed = known.slice(0, 12).join(', ');
  const remedy = nearest === undefined ? `it may use ${listed}` : `did you mean ${nearest}?`;
  return `there is no column ${name}; ${remedy}`;
}
