import type { z } from 'zod';
import { CONTENT_DIGEST, matchesDigest } from '../../contract/content-digest.js';
import type { EndpointName } from '../../contract/endpoints.js';
import { badAnswer, ContractError, HttpError } from '../../model/errors.js';
import { wholeBody } from '../sending/send.js';

/** The JSON of an answer, after a check of its content type and of its digest, if it has one. @throws ContractError */
export async function readJsonBody(name: EndpointName, response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (!type.includes('json')) {
    const problem = `answered ${response.status} with content type "${type}" instead of JSON`;
    throw badAnswer(name, problem, { damaged: true });
  }
  const content = wholeBody(response) ?? new Uint8Array(await response.arrayBuffer());
  const coded = response.headers.has('content-encoding');
  if (!coded && !(await matchesDigest(content, response.headers.get(CONTENT_DIGEST))))
    throw badAnswer(name, 'the answer does not match its content-digest: it was damaged in transit', {
      damaged: true,
    });
  try {
    return JSON.parse(new TextDecoder().decode(content));
  } catch (error) {
    throw badAnswer(name, 'the answer is not complete JSON', {
      cause: error,
      damaged: true,
    });
  }
}

/** Whether a service lacks an operation, as one does that speaks the JSON base alone. */
export function isUnserved(error: unknown): boolean {
  return error instanceof HttpError && [404, 405, 406].includes(error.status);
}

/** The error for an answer, or a part of it, of another shape than the contract's. */
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
