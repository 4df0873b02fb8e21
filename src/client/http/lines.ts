import type { z } from 'zod';
import type { EndpointName } from '../../contract/endpoints.js';
import { badAnswer, type ErrorCode, HttpError } from '../../model/errors.js';

/** Yields the lines of a response as they arrive, without an empty last line. */
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

/** The fields that lines of every long operation may have. */
interface OperationLine {
  readonly error?: { readonly error: string; readonly message: string } | undefined;
}

/**
 * Yields the lines of a long operation's response as they arrive, up to one that is incomplete.
 * @throws HttpError that the last line tells; ContractError for a line of another shape
 */
export async function* operationLines<Line extends OperationLine>(
  name: EndpointName,
  response: Response,
  schema: z.ZodType<Line>,
): AsyncGenerator<Line> {
  for await (const line of linesOf(response)) {
    const value = parsed(line);
    if (value === undefined) return;
    const read = schema.safeParse(value);
    if (!read.success) throw badAnswer(name, 'a line of the answer does not fit the contract');
    const { error } = read.data;
    if (error !== undefined) throw new HttpError(400, name, error.message, error.error as ErrorCode);
    yield read.data;
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
