const QUOTE = 34;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Reads the fields of a record, which must end in LF or CRLF. Quoted fields may contain delimiters, line endings and doubled
 * quotes. Text after a closing quote belongs to the field. Returns null if a quote is never closed.
 */
export function readFields(text: string, start: number, format: { delimiter: string; quotes: boolean }) {
  const fields: string[] = [];
  const areQuoted: boolean[] = [];
  const delimiter = format.delimiter.charCodeAt(0);
  let breaks = 0;
  let hasTail = false;
  for (let at = start; ; at++) {
    let quoted = '';
    const isQuoted = format.quotes && text.charCodeAt(at) === QUOTE;
    if (isQuoted) {
      const close = closingQuote(text, at);
      if (close < 0) return null;
      quoted = text.slice(at + 1, close).replaceAll('""', '"');
      if (quoted.includes('\n')) breaks += quoted.split('\n').length - 1;
      at = close + 1;
    }
    const from = at;
    let code = text.charCodeAt(at);
    while (code !== delimiter && code !== LINE_FEED) code = text.charCodeAt(++at);
    const isLast = code === LINE_FEED;
    const to = isLast && at > from && text.charCodeAt(at - 1) === CARRIAGE_RETURN ? at - 1 : at;
    hasTail ||= isQuoted && to > from;
    fields.push(quoted + text.slice(from, to));
    areQuoted.push(isQuoted);
    if (isLast)
      return {
        fields,
        areQuoted,
        /** Whether text follows a closing quote. */
        hasTail,
        /** The position after the record. */
        end: at + 1,
        /** The number of line breaks in quoted fields. */
        breaks,
      };
  }
}

function closingQuote(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}
