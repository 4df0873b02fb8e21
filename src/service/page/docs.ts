import type { Endpoint } from '../../contract/addresses.js';
import { endpoints } from '../../contract/endpoints.js';
import { openApiDocument } from '../../contract/openapi/document.js';
import { VERSION } from '../../contract/wire-names.js';
import { NotFoundError } from '../../model/errors.js';
import { jsonAnswer } from '../http/answers.js';
import { documentHeaders, fileAnswer } from './page.js';
import { readDocsFile } from './page-files.js';

let known: ReturnType<typeof openApiDocument> | undefined;

/** Made once, when it is first asked for: it takes longer than other requests should wait each time. */
function contract(): ReturnType<typeof openApiDocument> {
  known ??= openApiDocument(VERSION);
  return known;
}

/** `GET /openapi.json`: the contract for programs. */
export function openApiAnswer(): Response {
  return jsonAnswer(contract());
}

/**
 * `GET /docs`: the contract for people. Swagger UI takes the place of the list of operations, which is for those without
 * scripts. Addresses are relative to the folder of the page.
 */
export function docsAnswer(): Response {
  const paths = contract().paths as Paths;
  const page = [
    HEAD,
    `<body><main id="plain"><h1>cropframe ${VERSION}</h1>`,
    '<p>Send <code>authorization: Bearer &lt;token&gt;</code>. Repeat a key to send a list. Dates are <code>YYYY-MM-DD</code> or ',
    'ISO 8601 timestamps, UTC. For programs: <a href="openapi.json">openapi.json</a>.</p>',
    ...Object.values(endpoints as Record<string, Endpoint>).map((endpoint) => section(endpoint, paths)),
    '</main></body></html>',
  ];
  return new Response(page.join('\n'), { headers: documentHeaders() });
}

const HEAD = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>cropframe HTTP API</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="docs/swagger-ui.css"><link rel="stylesheet" href="docs/docs.css">
<script defer src="docs/swagger-ui-bundle.js"></script><script defer src="docs/start.js"></script></head>`;

/** `GET /docs/{name}`: a script or style sheet of the documentation. */
export async function docsFileAnswer(request: Request, name: string): Promise<Response> {
  const file = await readDocsFile(name);
  if (file === null) {
    const { pathname } = new URL(request.url);
    throw new NotFoundError(404, pathname, `unknown path ${pathname}; see /docs`);
  }
  const answer = fileAnswer(request, file);
  answer.headers.set('cache-control', 'no-cache');
  return answer;
}

/** `GET /docs/`, from which relative addresses would miss. */
export function docsFolderAnswer(): Response {
  return new Response(null, { status: 308, headers: { location: '../docs' } });
}

interface Parameter {
  name: string;
  required: boolean;
  description?: string | undefined;
  schema: {
    type?: string | undefined;
    enum?: string[] | undefined;
    items?: { type?: string | undefined } | undefined;
    default?: unknown;
  };
}

type Paths = Record<string, Record<string, { parameters: Parameter[] }>>;

function section(endpoint: Endpoint, paths: Paths): string {
  const described = paths[endpoint.path]?.[endpoint.method.toLowerCase()]?.parameters ?? [];
  const parameters = described.map(
    ({ name, required, description = '', schema }) =>
      `<tr><td><code>${name}</code></td><td>${typeText(schema)}${required ? ', required' : ''}</td><td>${description}</td></tr>`,
  );
  const table = parameters.length === 0 ? '' : `<table>${parameters.join('')}</table>`;
  const right =
    endpoint.right === undefined ? '' : ` The token needs the right <code>${endpoint.right}</code>.`;
  return `<section><h2>${endpoint.method} ${endpoint.path}</h2><p>${endpoint.summary}.${right}</p>${table}</section>`;
}

function typeText({ type, enum: values, items, default: defaultValue }: Parameter['schema']): string {
  const kind =
    values === undefined
      ? items === undefined
        ? (type ?? 'any')
        : `list of ${items.type}`
      : values.join(' | ');
  return defaultValue === undefined ? kind : `${kind}, default ${String(defaultValue)}`;
}
