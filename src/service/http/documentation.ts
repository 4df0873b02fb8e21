import type { Endpoint } from '../../contract/endpoint.js';
import { endpoints } from '../../contract/endpoints.js';
import { openApiDocument } from '../../contract/openapi/document.js';
import { VERSION } from '../../contract/version.js';
import { jsonAnswer } from './answers.js';

/** `GET /openapi.json`: the contract for programs. */
export function openApiAnswer(): Response {
  return jsonAnswer(openApiDocument(VERSION));
}

/** `GET /docs`: the contract for people, on one page without external resources. */
export function docsAnswer(): Response {
  const paths = openApiDocument(VERSION).paths as Paths;
  const page = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>cropframe HTTP API</title>',
    `<style>${STYLE}</style></head><body><h1>cropframe ${VERSION}</h1>`,
    '<p>Send <code>authorization: Bearer &lt;token&gt;</code>. Repeat a key to send a list. Dates are <code>YYYY-MM-DD</code> or ',
    'ISO 8601 timestamps, UTC. For programs: <a href="/openapi.json">/openapi.json</a>.</p>',
    ...Object.values(endpoints as Record<string, Endpoint>).map((endpoint) => section(endpoint, paths)),
    '</body></html>',
  ];
  return new Response(page.join('\n'), {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': PAGE_POLICY },
  });
}

/** The page loads nothing, and no other page shows it in a frame. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1c2733}' +
  'section{border-top:1px solid #dde3e9;padding:.5rem 0}h2{font:600 1rem ui-monospace,monospace}' +
  'td,th{text-align:left;padding:.1rem 1rem .1rem 0;vertical-align:top}code{background:#f0f3f6;padding:0 .2em}';

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
  const { parameters: described } = paths[endpoint.path]![endpoint.method.toLowerCase()]!;
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
