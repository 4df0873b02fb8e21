import { ContractError } from '../../model/errors.js';

/** The error for a stream that is damaged or truncated. */
export function damagedStream(endpoint: string, what: string, cause?: unknown): ContractError {
  const message = `${endpoint}: the point stream cannot be read: ${what}`;
  return new ContractError(endpoint, message, { damaged: true, ...(cause === undefined ? {} : { cause }) });
}
