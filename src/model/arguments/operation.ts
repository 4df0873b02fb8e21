import { type Check, needed, runCheck } from './checks.js';
import { checkOptions, checkRequiredOptions, type KnownKeys } from './option-keys.js';

/** An argument of an operation: a value with its check, or an object of options with its keys. */
export type Argument =
  | { readonly name: string; readonly check: Check; readonly keys?: undefined }
  | { readonly keys: KnownKeys; readonly isRequired: boolean };

/** The arguments of an operation by position, and the form of its result. */
export interface OperationArguments {
  readonly returns: 'promise' | 'sequence' | 'value';
  readonly takes: readonly Argument[];
}

/** The arguments of every operation of an interface; it does not compile when one is missing. */
export type ArgumentsOf<Operations> = Readonly<
  Record<Exclude<keyof Operations & string, 'api_host'>, OperationArguments>
>;

export const promise = (...takes: Argument[]): OperationArguments => ({ returns: 'promise', takes });
export const sequence = (...takes: Argument[]): OperationArguments => ({ returns: 'sequence', takes });
export const value = (...takes: Argument[]): OperationArguments => ({ returns: 'value', takes });

/** Options that may be left out. */
export const optional = (keys: KnownKeys): Argument => ({ keys, isRequired: false });

/** Options that are required. */
export const required = (keys: KnownKeys): Argument => ({ keys, isRequired: true });

/** A required positional argument. */
export const positional = (name: string, check: Check): Argument => ({ name, check: needed(check) });

/** An operation of any arguments. */
type Operation = (...values: unknown[]) => unknown;

/** The same operations, each checking its arguments before it begins. */
export function checkedOperations<Operations extends object>(
  operations: Operations,
  tables: ArgumentsOf<Operations>,
): Operations {
  const checked = Object.entries<OperationArguments>(tables).map(([name, table]) => [
    name,
    checkedOperation(name, operations[name as keyof Operations] as Operation, table),
  ]);
  return { ...operations, ...Object.fromEntries(checked) };
}

function checkedOperation(
  name: string,
  operation: Operation,
  { returns, takes }: OperationArguments,
): Operation {
  const check = (values: readonly unknown[]): void => {
    for (const [position, argument] of takes.entries()) {
      if (argument.keys === undefined) runCheck(argument.check, values[position], argument.name);
      else (argument.isRequired ? checkRequiredOptions : checkOptions)(values[position], argument.keys, name);
    }
  };
  switch (returns) {
    case 'promise':
      return async (...values) => {
        check(values);
        return operation(...values);
      };
    case 'sequence':
      return async function* (...values) {
        check(values);
        yield* operation(...values) as AsyncGenerator<unknown>;
      };
    case 'value':
      return (...values) => {
        check(values);
        return operation(...values);
      };
  }
}
