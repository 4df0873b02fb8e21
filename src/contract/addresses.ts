import type * as v from 'valibot';
import type { Right } from '../model/access.js';

/** Where an operation is asked. */
export interface Address {
  readonly method: 'GET' | 'POST';
  /** Parameters are in braces, as in OpenAPI. */
  readonly path: string;
  /** True when the operation needs no access token. */
  readonly open?: boolean | undefined;
}

export const post = <const Path extends string>(path: Path) => ({ method: 'POST', path }) as const;

/** Returns the path of an operation with its parameters. */
export function pathOf({ path }: Address, values: Readonly<Record<string, string | number>>): string {
  return path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(values[key])));
}

/** A schema of an object with these fields. */
export interface ObjectSchema extends v.GenericSchema {
  readonly entries: v.ObjectEntries;
}

/** One operation of the service. `answer` is null when the answer is a stream instead of one JSON value. */
export interface Endpoint extends Address {
  readonly pathParameters?: ObjectSchema | undefined;
  readonly query?: ObjectSchema | undefined;
  readonly form?: ObjectSchema | undefined;
  readonly body?: v.GenericSchema | undefined;
  readonly answer: v.GenericSchema | null;
  /** Media types of a streamed answer, the preferred one last. */
  readonly streams?: readonly string[] | undefined;
  /** True when the body is bytes, which the operation reads itself. */
  readonly takesBytes?: boolean | undefined;
  /** The right that the access token must have; reading by default. */
  readonly right?: Right | undefined;
  /** True when the answer is about the service: where no token is needed to read, none is needed for it. */
  readonly withoutData?: boolean | undefined;
  /** True when an empty answer has status 204 and no body. */
  readonly emptyIs204?: boolean | undefined;
}
