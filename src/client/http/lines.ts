import type * as v from 'valibot';
import type { EndpointName } from '../../contract/endpoints.js';
import { type ErrorCode, HttpError } from '../../model/errors.js';
import { readAnswer } from './answer.js';

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
