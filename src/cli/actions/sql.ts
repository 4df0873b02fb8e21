import { createInterface } from 'node:readline';
import { ArgumentError, badArgument } from '../../model/errors.js';
import { openSqlStore, type SqlStore } from '../../sql/store-sql.js';
import type { SQL } from '../commands/retrieval.js';
import { requireStore } from '../connection/store-file.js';
import type { InputValues } from '../options/flags.js';
import { type CommandContext, clearProgress, readText, writeLine } from '../terminal/io.js';
import { progressOptions } from '../terminal/progress.js';
import { outputFormat, writeFrame } from '../terminal/write-frame.js';

type Question = InputValues<typeof SQL.takes>;

export async function askStore(context: CommandContext, question: Question): Promise<void> {
  requireStore(question.store);
  const isPrompt = question.query === undefined && context.stdin.isTTY === true;
  if (isPrompt && question.out !== undefined)
    throw badArgument('out', 'needs a query, which must precede the options');
  const query = isPrompt ? '' : (question.query ?? (await readText(context.stdin, context.signal)));
  if (!isPrompt && query.trim() === '')
    throw new ArgumentError('query', 'there is no query; pass one as "SELECT …", or on standard input');
  const format = outputFormat(context, question);
  const store = await openSqlStore(question.store);
  try {
    const answer = async (text: string) => {
      const asked = store.ask(text.trim().replace(/;$/, ''), progressOptions(context));
      const table = await asked.finally(() => clearProgress(context));
      await writeFrame(context, table, { ...question, format });
    };
    await (isPrompt ? prompt(context, store, answer) : answer(query));
  } finally {
    await store.close();
  }
}

/** Runs the queries that a user enters at a prompt with history. An invalid query does not end the session. */
async function prompt(
  { stdin, stdout, stderr, signal }: CommandContext,
  store: SqlStore,
  answer: (query: string) => Promise<void>,
): Promise<void> {
  const completer = (line: string) => completeWord(line, store.names);
  const lines = createInterface({ input: stdin, output: stdout, terminal: true, completer, signal });
  let query = '';
  try {
    lines.setPrompt(FIRST_LINE);
    lines.prompt();
    for await (const line of lines) {
      if (query === '' && line.trim() === '.exit') return;
      query = `${query}${line}\n`;
      if (query.trim() === '') query = '';
      if (line.trimEnd().endsWith(';')) {
        await answer(query).catch((error: unknown) => {
          if (!(error instanceof ArgumentError)) throw error;
          return writeLine(stderr, error.message);
        });
        query = '';
      }
      lines.setPrompt(query === '' ? FIRST_LINE : NEXT_LINE);
      lines.prompt();
    }
    signal.throwIfAborted();
  } finally {
    lines.close();
  }
}

const FIRST_LINE = 'sql> ';
const NEXT_LINE = '  -> ';

function completeWord(line: string, names: readonly string[]): [string[], string] {
  const word = /[a-z_]*$/i.exec(line)![0];
  return [names.filter((name) => name.startsWith(word.toLowerCase())), word];
}
