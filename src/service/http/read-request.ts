import type { Endpoint } from '../../contract/addresses.js';
import { listSchemas, readParameters } from '../../contract/parameters.js';
import {
  ArgumentError,
  badArgument,
  CropframeError,
  HttpError,
  NotFoundError,
  shownValue,
} from '../../model/errors.js';
import { parse } from '../../model/schema/check.js';
import { mapInTurns } from '../../store/turns.js';
import { readBody } from './stream.js';

const MAX_ADDRESS_LENGTH = 256 * 1024;
const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** The maximum size of a form body. It is small because a form is parsed all at once. */
const MAX_FORM_BYTES = 1024 * 1024;

/** Checks a URL. @throws HttpError (414) if it is too long; ArgumentError if its query is not percent-encoded UTF-8 */
export function checkAddress({ url }: Request): void {
  if (url.length <= MAX_ADDRESS_LENGTH) {
    try {
      decodeURIComponent(new URL(url).search);
      return;
    } catch (cause) {
      throw badArgument('query', 'is not percent-encoded UTF-8; write % as %25', { cause });
    }
  }
  const message = `the address is longer than ${MAX_ADDRESS_LENGTH} characters; use POST /v2/data`;
  throw new HttpError(414, 'address', message, 'too_large');
}

/** Parses a request. `json` is the text of the JSON body, or null if the endpoint does not accept a JSON body. */
export async function readRequest(
  endpoint: Endpoint,
  request: Request,
  path: Readonly<Record<string, string>>,
) {
  refuseCodedBody(request);
  const parts = {
    path: readPath(endpoint.pathParameters, path),
    query: readQuery(endpoint, new URL(request.url).searchParams),
    form: endpoint.form ? readParameters(endpoint.form, await readForm(request)) : {},
  };
  if (endpoint.body === undefined) return { ...parts, body: {}, json: null };
  checkJsonType(request);
  const json = await readBodyText(request);
  return { ...parts, body: await parseBody(endpoint.body, json), json };
}

function refuseCodedBody({ headers }: Request): void {
  const coding = headers.get('content-encoding') ?? 'identity';
  if (coding.trim().toLowerCase() === 'identity') return;
  const message = `the body has the content-encoding ${shownValue(coding)}; send it uncompressed, without this header`;
  throw new CropframeError('media_type', message);
}

/** Parses the query. The health endpoint ignores its query, because monitors may add parameters to bypass caches. */
function readQuery(endpoint: Endpoint, query: URLSearchParams): Readonly<Record<string, unknown>> {
  if (endpoint.query === undefined && endpoint.open === true && endpoint.method === 'GET') return {};
  return readParameters(endpoint.query, query);
}

/** Parses the parameters in the path. A path with an invalid parameter is treated as unknown. */
function readPath(schema: Endpoint['pathParameters'], path: Readonly<Record<string, string>>): object {
  try {
    return readParameters(schema, new URLSearchParams(path));
  } catch (error) {
    if (error instanceof ArgumentError)
      throw new NotFoundError(404, 'path', `unknown path; see /docs (${error.message})`);
    throw error;
  }
}

async function readForm(request: Request): Promise<URLSearchParams> {
  const text = await readBodyText(request, MAX_FORM_BYTES);
  // JSON parsed as a form would become a parameter name. An error would repeat that name, which may contain a password.
  if (/^\s*[[{]/.test(text))
    throw badArgument('body', 'is JSON; send a form, such as name=value&other=value');
  const type = request.headers.get('content-type') ?? '';
  if (!type.startsWith('multipart/form-data')) return new URLSearchParams(text);
  const form = await new Response(text, { headers: { 'content-type': type } })
    .formData()
    .catch((cause: unknown) => {
      throw badArgument('body', 'is not a valid form; send name=value&other=value', { cause });
    });
  return new URLSearchParams(
    [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

/** Other content types accepted for JSON, because existing clients send them. An empty string means no content type. */
const LENIENT_TYPES: readonly string[] = ['', 'application/x-www-form-urlencoded'];

/**
 * Checks the content type of a JSON body. A page of another site can send some types without a CORS preflight request,
 * but not JSON. Types other than JSON are therefore accepted only from programs, which send no Origin header.
 * @throws CropframeError (media_type) if the content type is not accepted
 */
function checkJsonType({ headers }: Request): void {
  const type = (headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  if (/^application\/([\w.+-]+\+)?json$/.test(type)) return;
  const byPage = headers.has('origin') || headers.has('sec-fetch-site');
  if (!byPage && LENIENT_TYPES.includes(type)) return;
  const shown = type === '' ? 'no type' : shownValue(type);
  const message = `the body has ${shown}; send JSON, with the header "content-type: application/json"`;
  throw new CropframeError('media_type', message);
}

async function readBodyText({ body }: Request, maxBytes = MAX_BODY_BYTES): Promise<string> {
  const tooLong = `body: longer than ${maxBytes} bytes; split it into several requests`;
  return new TextDecoder().decode(await readBody(body, { maxBytes, tooLong }));
}

/** The maximum number of characters in a JSON body that is not a list, because such a body is validated all at once. */
const MAX_VALUE_LENGTH = 256 * 1024;

type BodySchema = NonNullable<Endpoint['body']>;

/** Parses a JSON body with a schema. Other work can run between the items of a list. */
export async function parseBody(schema: BodySchema, text: string): Promise<unknown> {
  const ofList = listSchemas(schema);
  if (ofList === null && text.length > MAX_VALUE_LENGTH) {
    const message = `body: longer than ${MAX_VALUE_LENGTH} characters; split it into several requests`;
    throw new CropframeError('too_large', message);
  }
  const value = parseJson(text);
  if (ofList === null) return parse(schema, value, '');
  const items = parse(ofList.list, value, '') as unknown[];
  return mapInTurns([...items.entries()], ([i, item]) => parse(ofList.item, item, `[${i}]`));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw badArgument('body', 'is not valid JSON', { cause });
  }
}
