import type { z } from 'zod';
import type { EndpointName } from '../../contract/endpoints.js';
import { ContractError, type ErrorCode, HttpError } from '../../model/errors.js';

/** What the lines of every long operation may have. */
interface OperationLine {
  readonly error?: { readonly error: string; readonly message: string } | undefined;
}

/**
 * The lines of the answer of a long operation, as they arrive.
 * @throws HttpError that the last line tells; ContractError for a line of another shape
 */
export async function* operationLines<Line extends OperationLine>(
  name: EndpointName,
  response: Response,
  schema: z.ZodType<Line>,
): AsyncGenerator<Line> {
  const texts = (response.body ?? new Blob([]).stream()).pipeThrough(new TextDecoderStream() as never);
  let rest = '';
  for await (const text of texts as unknown as AsyncIterable<string>) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const read = schema.safeParse(parse(line));
      if (!read.success)
        throw new ContractError(name, `${name}: a line of the answer does not fit the contract`);
      const { error } = read.data;
      if (error !== undefined) throw new HttpError(400, name, error.message, error.error as ErrorCode);
      yield read.data;
    }
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
