import { addresses } from '../contract/addresses.js';
import type { EndpointName } from '../contract/endpoints.js';
import type { ReadAnswer } from '../contract/reading.js';
import { HttpError, NotFoundError } from '../model/errors.js';
import type { Call, Transport } from './http/transport.js';

/** Statuses of a service that does not know a path, or knows it for another method. */
const UNKNOWN_PATH: readonly number[] = [404, 405];
const NOT_IMPLEMENTED = 501;

/** Whether a service does not know the operation, or cannot do it. */
export function isUnserved(error: unknown): boolean {
  return error instanceof HttpError && [...UNKNOWN_PATH, NOT_IMPLEMENTED].includes(error.status);
}

/**
 * The answer of an operation that older services, and other ones, do not have.
 * @param instead an alternative without it
 * @throws NotFoundError that says so
 */
export async function askNewer<Name extends EndpointName>(
  transport: Transport,
  name: Name,
  { call, instead }: { call: Call; instead: string },
): Promise<NonNullable<ReadAnswer<Name>>> {
  try {
    return (await transport.json(name, call))!;
  } catch (error) {
    if (!(error instanceof HttpError) || !UNKNOWN_PATH.includes(error.status)) throw error;
    const { method, path } = addresses[name];
    const message = `${name}: the service at ${transport.host} has no ${method} ${path}; update it, or ${instead}`;
    throw new NotFoundError(error.status, name, message);
  }
}
