import type * as z from 'zod';
import type { Right } from '../model/access/rights.js';
import type { Address } from './addresses.js';

/** One operation of the service. `answer` is null when the answer is a stream instead of one JSON value. */
export interface Endpoint extends Address {
  readonly summary: string;
  readonly pathParameters?: z.ZodObject | undefined;
  readonly query?: z.ZodObject | undefined;
  readonly form?: z.ZodObject | undefined;
  readonly body?: z.ZodType | undefined;
  readonly answer: z.ZodType | null;
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
