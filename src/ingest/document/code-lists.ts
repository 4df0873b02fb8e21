import { basename } from 'node:path';
import { IngestError } from '../../model/errors.js';
import type { ImporterInput } from '../importer.js';
import { lineError } from '../reading/columns.js';
import { readDelimited, WHOLE_LINES } from '../reading/delimited.js';
import { openInput } from '../reading/input-files.js';
import type { FormKeys } from './form.js';
import { splitAt } from './table-kind.js';

type CodeList = NonNullable<FormKeys['code_list']>;

interface ListContext extends Pick<ImporterInput, 'files' | 'signal'> {
  readonly dataset: string;
}

/** Reads code lists among an import's files. @throws IngestError for an invalid line, or if all files are code lists */
export async function readCodeLists(list: CodeList, { dataset, files, signal }: ListContext) {
  const { what, line: pattern, columns, key, of } = list;
  const names = columns.map(({ name }) => name);
  const fields = names.filter((name) => name !== key);
  const texts = new Map(fields.map((name) => [name, new Map<string, string>()]));
  const split = splitAt(columns);
  const lists = new Set<string>();
  for (const file of files)
    opened: for await (const { name, chunks } of openInput(file, { dataset, signal }))
      for await (const { text = '', line } of readDelimited(chunks, WHOLE_LINES)) {
        if (pattern.test(text)) {
          lists.add(file);
          const [cells] = split(text);
          const code = cells![names.indexOf(key)]!;
          for (const [at, one] of names.entries()) texts.get(one)?.set(code, cells![at]!);
        } else if (!lists.has(file)) break opened;
        else if (text.trim() !== '') throw lineError({ dataset, file: name }, line, `not a line of ${what}`);
      }
  const others = files.filter((file) => !lists.has(file));
  const [first] = lists;
  if (others.length === 0 && first !== undefined)
    throw new IngestError(
      dataset,
      `${basename(first)} is ${what}; import it together with files that contain figures`,
      {
        file: first,
      },
    );
  const lookup = new Map(fields.map((name) => [name, { column: of, names: texts.get(name)! }]));
  return { lookup, files: others };
}
