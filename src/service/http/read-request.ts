import type { Endpoint } from '../../contract/endpoints.js';
import { readParameters, validate } from '../../contract/parameters.js';
import { ArgumentError, CropframeError, NotFoundError } from '../../model/errors.js';

/** Longest body of a request. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** A request's parts, parsed by the endpoint's schemas. */
export interface ParsedRequest {
  readonly path: object;
  readonly query: Readonly<Record<string, unknown>>;
  readonly form: object;
  readonly body: unknown;
}

/**
 * Parses a request by the schemas of its endpoint.
 * @throws ArgumentError that names the parameter; NotFoundError for a path that does not fit; CropframeError (too_large)
 */
export async function readRequest(
  endpoint: Endpoint,
  request: Request,
  path: Readonly<Record<string, string>>,
): Promise<ParsedRequest> {
  return {
    path: endpoint.path_parameters ? readPath(endpoint.path_parameters, path) : {},
    query: endpoint.query ? readParameters(endpoint.query, new URL(request.url).searchParams) : {},
    form: endpoint.form ? readParameters(endpoint.form, await readForm(request)) : {},
    body: endpoint.body ? validate(endpoint.body, await readJson(request)) : {},
  };
}

/** A path parameter that does not fit means that there is no such path. */
function readPath(
  schema: NonNullable<Endpoint['path_parameters']>,
  path: Readonly<Record<string, string>>,
): object {
  try {
    return readParameters(schema, new URLSearchParams(path));
  } catch (error) {
    if (error instanceof ArgumentError)
      throw new NotFoundError(404, 'path', `unknown path: ${error.message}`);
    throw error;
  }
}

async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get('content-type') ?? '';
  if (type.startsWith('multipart/form-data')) {
    const form = await multipartForm(request);
    return new URLSearchParams(
      [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  }
  return new URLSearchParams(await readText(request));
}

async function multipartForm(request: Request): Promise<FormData> {
  const headers = { 'content-type': request.headers.get('content-type') ?? '' };
  try {
    return await new Response(await readText(request), { headers }).formData();
  } catch (error) {
    if (error instanceof CropframeError) throw error;
    throw new ArgumentError('body', 'body: is not a form', { cause: error });
  }
}

async function readJson(request: Request): Promise<unknown> {
  const text = await readText(request);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ArgumentError('body', 'body: is not JSON', { cause: error });
  }
}

async function readText(request: Request): Promise<string> {
  if (request.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) {
      throw new CropframeError(
        'too_large',
        `body: is longer than ${MAX_BODY_BYTES} bytes; ask in several requests`,
      );
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
