import type * as v from 'valibot';
import { check, checkOptions, checkRequiredOptions, isRequired, type KnownKeys, required } from './check.js';

/** An operation's argument: either a value with its schema, or an options object with the schemas of its keys. */
export type Argument =
  | { readonly name: string; readonly schema: v.GenericSchema; readonly keys?: undefined }
  | { readonly keys: KnownKeys; readonly isRequired: boolean };

/** The arguments that an operation takes, in order, and the kind of result that it returns. */
export interface OperationArguments {
  readonly returns: 'promise' | 'sequence' | 'value';
  readonly takes: readonly Argument[];
}

/** The arguments of every operation in an interface. Omitting an operation is a compile error. */
export type ArgumentsOf<Operations> = Readonly<
  Record<Exclude<keyof Operations & string, 'api_host'>, OperationArguments>
>;

export const promise = (...takes: Argument[]): OperationArguments => ({ returns: 'promise', takes });
export const sequence = (...takes: Argument[]): OperationArguments => ({ returns: 'sequence', takes });
export const value = (...takes: Argument[]): OperationArguments => ({ returns: 'value', takes });

export const optional = (keys: KnownKeys): Argument => ({ keys, isRequired: false });

export const mandatory = (keys: KnownKeys): Argument => ({ keys, isRequired: true });

export const positional = (name: string, schema: v.GenericSchema): Argument => ({
  name,
  schema: required(schema),
});

type Operation = (...values: unknown[]) => unknown;

/** Wraps the listed operations so that each checks its arguments before it runs. Other operations are omitted. */
export function withArgumentChecks<Operations extends { readonly api_host: string }>(
  operations: Operations,
  tables: ArgumentsOf<Operations>,
): Operations {
  const checked = Object.entries<OperationArguments>(tables).map(([name, table]) => [
    name,
    withArgumentCheck(name, operations[name as keyof Operations] as Operation, table),
  ]);
  return { api_host: operations.api_host, ...Object.fromEntries(checked) } as Operations;
}

function withArgumentCheck(
  name: string,
  operation: Operation,
  { returns, takes }: OperationArguments,
): Operation {
  const checkAll = (values: readonly unknown[]): void => {
    for (const [position, argument] of takes.entries()) {
      const value = values[position];
      if (argument.keys !== undefined)
        (argument.isRequired ? checkRequiredOptions : checkOptions)(value, argument.keys, name);
      else if (value !== undefined || isRequired(argument.schema))
        check(argument.schema, value, argument.name);
    }
  };
  switch (returns) {
    case 'promise':
      return async (...values) => {
        checkAll(values);
        return operation(...values);
      };
    case 'sequence':
      return async function* (...values) {
        checkAll(values);
        yield* operation(...values) as AsyncGenerator<unknown>;
      };
    case 'value':
      return (...values) => {
        checkAll(values);
        return operation(...values);
      };
  }
}
