import { type Equivalents, OUTSIDE, SLOWER } from './equivalent.js';

const OTHERS_KEPT = 'more texts are kept, or fewer, or in other places: the same are read';
const NO_ENCODING =
  'there is no such encoding, so that the file does not load: no test runs, and none counts as failed';
const CHECKED_ANYWAY = 'a text with the hash is compared letter by letter before it is taken';
const GUESS = 'which key follows another is only a guess; a search finds the same number';
const OTHER_HASH = 'all keys get another hash, by which the same are found';
const UNTOLD = 'the lines of blocks are counted where nobody tells their number, and are the same';
const NO_TAIL = 'a field with quotes does not end where the block begins';
const UNREAD = 'where the fields of unwanted columns are is noted too, and not read';

export const INGEST: Equivalents = {
  'src/ingest/reading/code-keys.ts': [
    {
      line: 'if (this.#matches(next, codes, bounds)) {',
      changes: ['this.#matches(next, codes, bounds) → false', '{ this.#last = next; return next; } → {}'],
      reason: GUESS,
    },
    {
      line: 'if (found < 0) return found;',
      changes: ['found < 0 → true', 'found < 0 → false', 'found < 0 → found <= 0', 'found < 0 → found >= 0'],
      reason: GUESS,
    },
    {
      line: 'if (this.#hashes[number] === hash && this.#matches(number, codes, bounds)) return number;',
      changes: ['this.#hashes[number] === hash → true'],
      reason: CHECKED_ANYWAY,
    },
    {
      line: 'for (let i = 0; i < bounds.length; i += 2) {',
      changes: ['i < bounds.length → i <= bounds.length'],
      reason: `${OTHER_HASH}; and what is copied behind a key, the next one overwrites`,
    },
    {
      line: 'if (this.#starts[this.#count]! + length > this.#codes.length) this.#codes = larger(this.#codes);',
      changes: [
        'this.#starts[this.#count]! + length > this.#codes.length → this.#starts[this.#count]! + length >= this.#codes.length',
      ],
      reason: 'room is made one key earlier',
    },
    {
      line: 'for (let number = 0; number < this.#count; number++) this.#takeSlot(number);',
      changes: ['number < this.#count → number <= this.#count'],
      reason: 'the key that is being added takes a slot more, in which it is not sought',
    },
    {
      line: 'return number < 0 ? undefined : this.#values[number];',
      changes: ['number < 0 → false'],
      reason: 'there is no value before the first one',
    },
  ],
  'src/ingest/reading/delimited.ts': [
    {
      line: 'for await (const block of readLineBlocks(chunks, () => records.nextLine)) {',
      changes: ['() => records.nextLine → () => undefined'],
      reason: UNTOLD,
    },
    {
      line: '#fields: string[] = [];',
      changes: ['[] → ["Stryker was here"]'],
      reason: 'all fields of the first record are read, and written over it',
    },
    {
      line: '#hasFields = false;',
      changes: ['false → true'],
      reason: 'each record sets it before its fields are asked for',
    },
    {
      line: '#hasDoubled = false;',
      changes: ['false → true'],
      reason: 'each quoted field sets it before it is asked for',
    },
    {
      line: "#block: CodedText = { text: '', codes: new Uint8Array() };",
      changes: ['\'\' → "Stryker was here!"'],
      reason: 'nothing is read of it before a block is opened',
    },
    {
      line: 'if (tails[column]! >= 0) return false;',
      changes: ['tails[column]! >= 0 → tails[column]! > 0'],
      reason: NO_TAIL,
    },
    {
      line: 'if (!this.#hasFields) this.#makeFields();',
      changes: ['!this.#hasFields → true'],
      reason: SLOWER,
    },
    {
      line: 'get nextLine(): number {',
      changes: ['{ return this.#nextLine; } → {}'],
      reason: UNTOLD,
    },
    {
      line: 'if (end < 0) {',
      changes: ['end < 0 → end <= 0'],
      reason: 'no record ends where the block begins',
    },
    {
      line: 'else if (this.#isHeader) {',
      changes: ['this.#isHeader → true'],
      reason: SLOWER,
    },
    {
      line: 'this.#isHeader = false;',
      changes: ['false → true'],
      reason: SLOWER,
    },
    {
      line: 'if (wanted.length > 0) this.#wantedAt = wanted.flatMap((isWanted, i) => (isWanted ? [i] : []));',
      changes: ['[] → ["Stryker was here"]'],
      reason: 'a text is below no number of fields, so that its column is passed over',
    },
    {
      line: 'const isAll = wanted.length === 0;',
      changes: ['wanted.length === 0 → true'],
      reason: UNREAD,
    },
    {
      line: 'if (at < 0) return -1;',
      changes: ['at < 0 → at <= 0'],
      reason: 'no quotes end where the block begins',
    },
    {
      line: 'if (isAll || wanted[count] === true) {',
      changes: ['isAll || wanted[count] === true → true'],
      reason: UNREAD,
    },
    {
      line: "while (fields.length < count) fields.push('');",
      changes: ['fields.length < count → fields.length <= count'],
      reason: 'a field too many is cut off by the next line',
    },
    {
      line: 'if (fields.length > count) fields.length = count;',
      changes: ['fields.length > count → true', 'fields.length > count → fields.length >= count'],
      reason: SLOWER,
    },
    {
      line: 'this.#hasFields = true;',
      changes: ['true → false'],
      reason: SLOWER,
    },
    {
      line: "return tail < 0 ? inner : inner.replaceAll('\"\"', '\"') + this.#block.text.slice(end + 1, tail);",
      changes: ['tail < 0 → tail <= 0'],
      reason: NO_TAIL,
    },
    {
      line: "if (start === end) return '';",
      changes: ['start === end → false'],
      reason: SLOWER,
    },
    {
      line: 'if (texts === undefined) {',
      changes: ['texts === undefined → true'],
      reason: SLOWER,
    },
    {
      line: 'for (let at = start + 1; at < length; at++) {',
      changes: ['at < length → at <= length'],
      reason: OUTSIDE,
    },
  ],
  'src/ingest/reading/field-texts.ts': [
    {
      line: "#last = '';",
      changes: ['\'\' → "Stryker was here!"'],
      reason: 'no field is compared with it before another text is the last one',
    },
    {
      line: '#lastStart = -1;',
      changes: ['-1 → +1'],
      reason: 'the last text is empty then, and no field is',
    },
    {
      line: 'if (last >= 0 && this.#last.length === end - start && areEqual(block.codes, last, start, end))',
      changes: ['last >= 0 → true', 'last >= 0 → last > 0'],
      reason:
        'there is no code before the first, so that no text equals one there; and looking for it finds it',
    },
    {
      line: 'for (let probe = 0; probe < PROBES; probe++) {',
      changes: ['probe < PROBES → probe <= PROBES'],
      reason: OTHERS_KEPT,
    },
    {
      line: 'const slot = (hash + probe) & mask;',
      changes: ['hash + probe → hash - probe'],
      reason: OTHERS_KEPT,
    },
    {
      line: "if (found === '') {",
      changes: ["found === '' → false", '\'\' → "Stryker was here!"', '{ free = slot; break; } → {}'],
      reason: OTHERS_KEPT,
    },
    {
      line: 'if (this.#hashes[slot] === hash && isText(found, block.codes, start, end)) return found;',
      changes: ['this.#hashes[slot] === hash → true'],
      reason: CHECKED_ANYWAY,
    },
    {
      line: "if (this.#slots[slot] === '') this.#taken++;",
      changes: ["this.#slots[slot] === '' → true", "this.#slots[slot] === '' → this.#slots[slot] !== ''"],
      reason: OTHERS_KEPT,
    },
    {
      line: 'if (this.#taken * 2 > this.#slots.length && this.#slots.length < MAX_SLOTS) this.#grow();',
      changes: [
        'this.#taken * 2 > this.#slots.length && this.#slots.length <… → this.#taken * 2 > this.#slots.length || this.#slots.length <…',
        'this.#taken * 2 > this.#slots.length → true',
        'this.#taken * 2 > this.#slots.length → this.#taken * 2 >= this.#slots.length',
        'this.#taken * 2 > this.#slots.length → this.#taken * 2 <= this.#slots.length',
        'this.#slots.length < MAX_SLOTS → true',
        'this.#slots.length < MAX_SLOTS → this.#slots.length <= MAX_SLOTS',
      ],
      reason: OTHERS_KEPT,
    },
    {
      line: 'this.#hashes = new Int32Array(mask + 1);',
      changes: ['mask + 1 → mask - 1'],
      reason: 'texts in the last two slots are not found again: they are read anew',
    },
    {
      line: "if (text !== '' && this.#slots[hash & mask] === '') this.#put(text, hash, hash & mask);",
      changes: [
        "text !== '' && this.#slots[hash & mask] === '' → true",
        "text !== '' && this.#slots[hash & mask] === '' → text !== '' || this.#slots[hash & mask] === ''",
        "text !== '' → true",
        "text !== '' → text === ''",
        '\'\' → "Stryker was here!"',
        "this.#slots[hash & mask] === '' → true",
      ],
      reason: OTHERS_KEPT,
    },
    {
      line: 'for (let at = end - 1; at >= start; at--) if (codes[at] !== codes[at + offset]) return false;',
      changes: ['end - 1 → end + 1'],
      reason: SLOWER,
    },
    {
      line: 'for (let i = length - 1; i >= 0; i--) if (text.charCodeAt(i) !== codes[start + i]) return false;',
      changes: ['i >= 0 → i > 0'],
      reason: 'texts that differ in the first letter alone never have the same hash',
    },
    {
      line: 'for (let at = start; at < end; at++) hash = Math.imul(hash ^ codes[at]!, 0x01000193);',
      changes: ['at < end → at <= end'],
      reason: OTHERS_KEPT,
    },
  ],
  'src/ingest/reading/json-records.ts': [
    {
      line: 'for (let at = start; at < text.length; at++) {',
      changes: ['at < text.length → at <= text.length'],
      reason: 'there is no character past the end',
    },
  ],
  'src/ingest/reading/line-blocks.ts': [
    {
      line: 'return parts.length === 1 ? parts[0]! : Buffer.concat(parts);',
      changes: ['parts.length === 1 → false'],
      reason: SLOWER,
    },
    {
      line: 'if (at === chunk.length - 1 && at >= 0) {',
      changes: ['at >= 0 → true'],
      reason: 'only an empty chunk ends before its beginning; joined with the next one it changes nothing',
    },
    {
      line: 'if (isAscii(bytes)) return new AsciiBlock(bytes, firstLine);',
      changes: ['isAscii(bytes) → false'],
      reason: SLOWER,
    },
    {
      line: "const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });",
      changes: ['\'utf-8\' → ""'],
      reason: NO_ENCODING,
    },
    {
      line: "const windows1252 = new TextDecoder('windows-1252');",
      changes: ['\'windows-1252\' → ""'],
      reason: NO_ENCODING,
    },
    {
      line: '} catch {',
      changes: ['{ return null; } → {}'],
      reason: 'undefined is followed by the other encoding as null is',
    },
    {
      line: 'if (codes !== undefined && codes.at(-1) === LINE_FEED) return block as LineBlock & CodedText;',
      changes: ['codes !== undefined && codes.at(-1) === LINE_FEED → false', '-1 → +1'],
      reason: SLOWER,
    },
    {
      line: 'if (bytes.length === text.length) return bytes;',
      changes: ['bytes.length === text.length → false'],
      reason: SLOWER,
    },
    {
      line: 'for (let at = 0; at < bytes.length; at++) if (bytes[at] === LINE_FEED) count++;',
      changes: ['at < bytes.length → at <= bytes.length'],
      reason: 'there is no byte past the end',
    },
  ],
  'src/ingest/reading/line-texts.ts': [
    {
      line: "const BEGINNING: Line = { text: '', line: 0 };",
      changes: ['\'\' → "Stryker was here!"'],
      reason: 'lines count from 1, so that nobody asks for this one',
    },
  ],
  'src/ingest/reading/peek.ts': [
    {
      line: 'return /^\\uFEFF?([^\\r\\n]*)/.exec(text)![1]!.trim();',
      changes: ['/^\\uFEFF?([^\\r\\n]*)/ → /\\uFEFF?([^\\r\\n]*)/'],
      reason: 'the pattern may be empty, so that it matches at the beginning of every text',
    },
    {
      line: "if (/\\p{Cc}|\\uFFFD/u.test(head.replaceAll('\\t', ' '))) return 'it is not text';",
      changes: ['\' \' → ""'],
      reason: 'a blank is no control character, and neither is nothing',
    },
  ],
  'src/ingest/reading/input-files.ts': [
    {
      line: 'const source = createReadStream(file, { highWaterMark: CHUNK_BYTES });',
      changes: ['{ highWaterMark: CHUNK_BYTES } → {}'],
      reason: SLOWER,
    },
    {
      line: 'const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });',
      changes: ['{ chunkSize: CHUNK_BYTES } → {}'],
      reason: SLOWER,
    },
    {
      line: "const reason = SYSTEM_REASONS[code ?? ''] ?? message;",
      changes: ['\'\' → "Stryker was here!"'],
      reason: 'no code of the system is called so',
    },
  ],
  'src/ingest/reading/tables.ts': [
    {
      line: 'if (found.length > 1) {',
      changes: ['found.length > 1 → found.length >= 1'],
      reason: 'one column that is found has been returned',
    },
  ],
};
