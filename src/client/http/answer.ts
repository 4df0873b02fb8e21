import type * as v from 'valibot';
import type { EndpointName } from '../../contract/endpoints.js';
import { badAnswer, ContractError, type ErrorCode, HttpError } from '../../model/errors.js';
import { parse, WHOLE_VALUE } from '../../model/schema/check.js';

export async function readJsonBody(name: EndpointName, response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? '';
  if (!type.includes('json')) {
    const problem = `responded with status ${response.status} and content type "${type}" instead of JSON`;
    throw badAnswer(name, problem, { damaged: true });
  }
  return parseJson(name, await response.text(), 'the response');
}

/** Parses all or part of a response. Errors refer to it as `what`. @throws ContractError if it is not JSON */
export function parseJson(name: EndpointName, text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw badAnswer(name, `${what} is not complete JSON`, { cause, damaged: true });
  }
}

/** Checks whether an error means that the service does not support the operation or the requested format. */
export function isUnserved(error: unknown): boolean {
  return error instanceof HttpError && [404, 405, 406].includes(error.status);
}

/** Validates all or part of a response. Errors refer to it as `what`. @throws ContractError if it is invalid */
export function readAnswer<Schema extends v.GenericSchema>(
  name: EndpointName,
  schema: Schema,
  value: unknown,
  what = `${name}: the response`,
): v.InferOutput<Schema> {
  return parse(schema, value, '', ({ argument, problem }) => {
    const field = argument === WHOLE_VALUE ? '' : argument;
    const where = field === '' ? '' : ` at ${field}`;
    return new ContractError(name, `${what} does not conform to the API contract${where}: ${problem}`, {
      field,
    });
  });
}

/** Yields a response's lines as they arrive, and skips an empty last line. */
export async function* linesOf({ body }: Response): AsyncGenerator<string> {
  if (body === null) return;
  const decoder = new TextDecoder();
  let rest: string[] = [];
  for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
    const [first, ...others] = decoder.decode(piece, { stream: true }).split('\n');
    rest.push(first!);
    for (const other of others) {
      yield rest.join('');
      rest = [other];
    }
  }
  const last = rest.join('') + decoder.decode();
  if (last.trim() !== '') yield last;
}

interface OperationLine {
  readonly error?: { readonly error: string; readonly message: string } | undefined;
}

/**
 * Yields the lines of a long operation's response as they arrive. An incomplete last line is ignored.
 * @throws HttpError if the last line reports an error; ContractError if a line does not match the schema
 */
export async function* operationLines<Line extends OperationLine>(
  name: EndpointName,
  response: Response,
  schema: v.GenericSchema<unknown, Line>,
): AsyncGenerator<Line> {
  for await (const line of linesOf(response)) {
    const value = tryParseJson(line);
    if (value === undefined) return;
    const read = readAnswer(name, schema, value, `${name}: a line of the response`);
    const { error } = read;
    if (error !== undefined) throw new HttpError(400, name, error.message, error.error as ErrorCode);
    yield read;
  }
}

function tryParseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
