import type * as v from 'valibot';
import type { Right } from '../model/access.js';

export interface Address {
  readonly method: 'GET' | 'POST';
  /** The path, with parameters in braces as in OpenAPI. */
  readonly path: string;
  /** Whether the operation needs no access token. */
  readonly open?: boolean | undefined;
}

export const post = <const Path extends string>(path: Path) => ({ method: 'POST', path }) as const;

/** Returns the path of an operation, with the values of its parameters. */
export function pathOf({ path }: Address, values: Readonly<Record<string, string | number>>): string {
  return path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(values[key])));
}

/** The schema of an object with known fields. */
export interface ObjectSchema extends v.GenericSchema {
  readonly entries: v.ObjectEntries;
}

/** One operation of the service. `answer` is null if the response is a stream or bytes instead of one JSON value. */
export interface Endpoint extends Address {
  readonly pathParameters?: ObjectSchema | undefined;
  readonly query?: ObjectSchema | undefined;
  readonly form?: ObjectSchema | undefined;
  readonly body?: v.GenericSchema | undefined;
  readonly answer: v.GenericSchema | null;
  /** Media types of a streamed response, the preferred one last. */
  readonly streams?: readonly string[] | undefined;
  /** Whether the body is bytes, which the operation reads itself. */
  readonly takesBytes?: boolean | undefined;
  /** The right that the access token must have; reading by default. */
  readonly right?: Right | undefined;
  /** Whether the answer describes only the service. It needs no token if reading needs none. */
  readonly withoutData?: boolean | undefined;
  /** Whether an empty answer has status 204 and no body. */
  readonly emptyIs204?: boolean | undefined;
}
