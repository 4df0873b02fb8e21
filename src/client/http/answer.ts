import type * as v from 'valibot';
import type { EndpointName } from '../../contract/endpoints.js';
import { badAnswer, ContractError, HttpError } from '../../model/errors.js';
import { parse, WHOLE_VALUE } from '../../model/schema/check.js';

/** Checks the content type of a response and parses its JSON. @throws ContractError */
export async function readJsonBody(name: EndpointName, response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (!type.includes('json')) {
    const problem = `responded with status ${response.status} and content type "${type}" instead of JSON`;
    throw badAnswer(name, problem, { damaged: true });
  }
  const content = await response.text();
  try {
    return JSON.parse(content);
  } catch (error) {
    throw badAnswer(name, 'the response is not complete JSON', {
      cause: error,
      damaged: true,
    });
  }
}

/** Checks whether an error means that the service does not support an operation, or the requested format. */
export function isUnserved(error: unknown): boolean {
  return error instanceof HttpError && [404, 405, 406].includes(error.status);
}

/**
 * Validates a response, or a part of one, against its schema.
 * @param what the name that the error message uses for the validated part
 * @throws ContractError if the shape does not conform to the contract
 */
export function readAnswer<Schema extends v.GenericSchema>(
  name: EndpointName,
  schema: Schema,
  value: unknown,
  what = `${name}: the response`,
): v.InferOutput<Schema> {
  return parse(schema, value, '', ({ argument, problem }) => {
    const field = argument === WHOLE_VALUE ? '' : argument;
    const where = field === '' ? '' : ` at ${field}`;
    return new ContractError(name, `${what} does not conform to the contract${where}: ${problem}`, { field });
  });
}
