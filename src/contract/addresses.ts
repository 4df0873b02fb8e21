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

export function pathOf({ path }: Address, values: Readonly<Record<string, string | number>>): string {
  return path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(values[key])));
}

export interface ObjectSchema extends v.GenericSchema {
  readonly entries: v.ObjectEntries;
}

export interface Endpoint extends Address {
  readonly pathParameters?: ObjectSchema | undefined;
  readonly query?: ObjectSchema | undefined;
  readonly form?: ObjectSchema | undefined;
  readonly body?: v.GenericSchema | undefined;
  /** The schema of the JSON response; null if the response is a stream or bytes instead of one JSON value. */
  readonly answer: v.GenericSchema | null;
  /** The media types in which a response can be streamed. The preferred one is last. */
  readonly streams?: readonly string[] | undefined;
  /** Whether the request body is binary and is read by the operation itself. */
  readonly takesBytes?: boolean | undefined;
  /** The right that the access token must have. The default is `read`. */
  readonly right?: Right | undefined;
  /** Whether the response contains no data from the store. If so, a service that requires no tokens ignores `right`. */
  readonly withoutData?: boolean | undefined;
  /** Whether an empty result is answered with status 204 and no body. */
  readonly emptyIs204?: boolean | undefined;
}
