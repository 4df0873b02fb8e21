import { SaxesParser } from 'saxes';
import { turns } from '../../store/turns.js';
import { DamagedTextError } from './delimited.js';

type Attributes = Readonly<Record<string, string>>;

/** Receives the elements of an XML document. Element names are passed without namespace prefixes. */
export interface XmlVisitor {
  open(name: string, attributes: Attributes, line: number): void;
  close(name: string): void;
  text?(text: string): void;
}

const MAX_DEPTH = 200;
const MAX_ATTRIBUTES = 1000;

/** Parses XML in chunks, and yields after each chunk. @throws DamagedTextError if the XML is malformed or too large */
export async function* readXml(chunks: AsyncIterable<Uint8Array>, visitor: XmlVisitor, maxBytes: number) {
  const decoder = new TextDecoder('utf-8');
  const parser = createParser(visitor);
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new DamagedTextError(parser.line, `it is larger than ${maxBytes / 1_000_000} MB`);
    await turns.next();
    parser.write(decoder.decode(chunk, { stream: true }));
    yield;
  }
  parser.write(decoder.decode()).close();
  yield;
}

function createParser(visitor: XmlVisitor): SaxesParser {
  const parser = new SaxesParser({ xmlns: false });
  const damaged = (what: string) => new DamagedTextError(parser.line, what);
  let [depth, attributes] = [0, 0];
  parser.on('error', (error) => {
    throw damaged(`not well-formed XML: ${error.message}`);
  });
  parser.on('doctype', () => {
    throw damaged('it declares a document type, which is not allowed');
  });
  parser.on('opentagstart', () => {
    attributes = 0;
    if (++depth > MAX_DEPTH) throw damaged(`elements are nested more than ${MAX_DEPTH} deep`);
  });
  parser.on('attribute', () => {
    if (++attributes > MAX_ATTRIBUTES) throw damaged(`an element has more than ${MAX_ATTRIBUTES} attributes`);
  });
  parser.on('opentag', ({ name, attributes }) => visitor.open(localName(name), attributes, parser.line));
  parser.on('closetag', ({ name }) => {
    depth--;
    visitor.close(localName(name));
  });
  parser.on('text', (text) => visitor.text?.(text));
  parser.on('cdata', (text) => visitor.text?.(text));
  return parser;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
