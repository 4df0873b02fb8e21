const COMMANDS = (
  'search find points df sample sql gdd from-parts units vintages list facets explore update ' +
  'import serve mcp store user token completion'
).split(' ');

/** Words of a command line, and what completes the last of them. */
export const COMPLETIONS: readonly {
  readonly words: readonly string[];
  readonly offered: readonly string[];
}[] = [
  { words: [''], offered: COMMANDS },
  { words: ['token', ''], offered: ['create', 'list', 'revoke'] },
  { words: ['token', 'create', '--ex'], offered: ['--expires'] },
  {
    words: ['points', '--format', ''],
    offered: ['csv', 'json', 'parquet', 'arrow', 'arrow-stream', 'xlsx'],
  },
  { words: ['points', '--item', 'corn', '--format', 'p'], offered: ['parquet'] },
  { words: ['search', 're'], offered: ['regions'] },
  { words: ['import', 'dem'], offered: ['demo'] },
  { words: ['serve', '--no'], offered: ['--no-auth', '--no-page'] },
  { words: ['sample', '--pr'], offered: ['--print_token'] },
];
