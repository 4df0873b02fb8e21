import type { z } from 'zod';
import type { EndpointName } from '../../contract/endpoints.js';
import { badAnswer, ContractError, HttpError } from '../../model/errors.js';
import { wholeBody } from '../sending/send.js';

/** Checks the content type of a response and reads its JSON. @throws ContractError */
export async function readJsonBody(name: EndpointName, response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (!type.includes('json')) {
    const problem = `answered ${response.status} with content type "${type}" instead of JSON`;
    throw badAnswer(name, problem, { damaged: true });
  }
  const content = wholeBody(response) ?? new Uint8Array(await response.arrayBuffer());
  try {
    return JSON.parse(new TextDecoder().decode(content));
  } catch (error) {
    throw badAnswer(name, 'the answer is not complete JSON', {
      cause: error,
      damaged: true,
    });
  }
}

/**
 * Checks whether an error means that the service lacks an operation. A service that implements only the JSON base lacks
 * some.
 */
export function isUnserved(error: unknown): boolean {
  return error instanceof HttpError && [404, 405, 406].includes(error.status);
}

/** Makes the error for a response, or a part of one, that does not fit the contract. */
export function misfit(
  name: EndpointName,
  { path, message }: z.core.$ZodIssue,
  what = `${name}: the answer`,
): ContractError {
  const field = path.map(String).join('.');
  const where = field === '' ? '' : ` at ${field}`;
  const text = `${what} does not fit the contract${where}: ${message}`;
  return new ContractError(name, text, { field });
}
