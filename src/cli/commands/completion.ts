import type { Command } from 'commander';
import { oneOf, withMeaning } from '../../model/schema/schemas.js';
import { word } from '../options/flags.js';
import { type CommandContext, write } from '../terminal/io.js';

const HELP = `
Examples:
  $ source <(cropframe completion bash)
  $ cropframe completion zsh > "\${fpath[1]}/_cropframe"
  $ cropframe completion fish > ~/.config/fish/completions/cropframe.fish`;

export function addCompletionCommand(program: Command, context: CommandContext): void {
  program
    .command('completion')
    .summary('print a completion script for a shell')
    .description('Print a script that lets a shell complete commands, options and their values.')
    .addArgument(word('<shell>', withMeaning('shell', oneOf(SHELLS))))
    .addHelpText('after', HELP)
    .action((shell: Shell) => write(context.stdout, completionScript(shell, completionTable(program))));
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Writes the completion script for a shell. */
function completionScript(shell: Shell, table: readonly CompletedCommand[]): string {
  if (shell === 'fish') return fishScript(table);
  return `${shell === 'bash' ? BASH_START : ZSH_START}  for word in "\${typed[@]}"; do
    case "$at $word" in
${table
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      "${path}"|" ${path}") at="${path}";;`)
  .join('\n')}
    esac
  done
  case "$at $prev" in
${table.flatMap(valueCases).join('\n')}
  esac
  case "$at" in
${table.map(commandCase).join('\n')}
  esac
  if [[ "$cur" == -* ]]; then _cropframe_words "\${flags[@]}"
  else
    _cropframe_words "\${next[@]}"
    if [[ -n "$files" ]]; then _cropframe_files; fi
  fi
}
${shell === 'bash' ? BASH_END : ZSH_END}`;
}

/** What the two shells write differently: how they offer words and files, and where the typed words are. */
const BASH_START = `# cropframe completion bash: add  source <(cropframe completion bash)  to ~/.bashrc
_cropframe_words() { COMPREPLY+=($(compgen -W "$*" -- "$cur")); }
_cropframe_files() { COMPREPLY+=($(compgen -f -- "$cur")); }
_cropframe() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at="" word files
  local -a typed=("\${COMP_WORDS[@]:1:COMP_CWORD-1}") next flags
  COMPREPLY=()
`;
const BASH_END = `complete -o filenames -F _cropframe cropframe
`;
const ZSH_START = `#compdef cropframe
# cropframe completion zsh: put this output into a file _cropframe in a folder of $fpath
_cropframe_words() { compadd -- "$@"; }
_cropframe_files() { _files; }
_cropframe() {
  local cur="\${words[CURRENT]}" prev="\${words[CURRENT-1]}" at="" word files
  local -a typed=("\${(@)words[2,CURRENT-1]}") next flags
`;
const ZSH_END = `if [[ "$funcstack[1]" == "_cropframe" ]]; then _cropframe "$@"; else compdef _cropframe cropframe; fi
`;

/** Writes one case for each option of a command that takes a value. */
function valueCases({ path, options }: CompletedCommand): string[] {
  return options.flatMap(({ flag, value }) => {
    if (value === 'none') return [];
    const reply = { file: '_cropframe_files;', text: '' } as const;
    const offer = typeof value === 'string' ? reply[value] : `_cropframe_words ${value.join(' ')};`;
    return [`    "${path} ${flag}") ${offer} return;;`];
  });
}

/** Writes the words, flags and files that a command takes. */
function commandCase({ path, subcommands, choices, options, takesFiles }: CompletedCommand): string {
  const next = [...subcommands.map(({ name }) => name), ...choices].join(' ');
  const flags = options.map(({ flag }) => flag).join(' ');
  return `    "${path}") next=(${next}); flags=(${flags}); files="${takesFiles ? 'yes' : ''}";;`;
}

function fishScript(table: readonly CompletedCommand[]): string {
  const lines = table.flatMap((command) => {
    const condition = fishCondition(command, table);
    const words = command.subcommands.map(
      ({ name, description }) =>
        `complete -c cropframe ${condition} -f -a ${name} -d ${fishQuoted(description)}`,
    );
    const choices = command.choices.map((word) => `complete -c cropframe ${condition} -f -a ${word}`);
    const options = command.options.map(({ flag, description, value }) => {
      const takes = { none: '-f', file: '-r -F', text: '-x' } as const;
      const how = typeof value === 'string' ? takes[value] : `-x -a ${fishQuoted(value.join(' '))}`;
      return `complete -c cropframe ${condition} -l ${flag.replace(/^--/, '')} ${how} -d ${fishQuoted(description)}`;
    });
    return [...words, ...choices, ...options];
  });
  return `# cropframe completion fish: cropframe completion fish > ~/.config/fish/completions/cropframe.fish
${lines.join('\n')}
`;
}

/** Writes the condition that the words typed so far name exactly this command. */
function fishCondition(command: CompletedCommand, table: readonly CompletedCommand[]): string {
  if (command.path === '') return '-n __fish_use_subcommand';
  const seen = command.path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
  const below = table
    .filter(({ path }) => path.startsWith(`${command.path} `))
    .map(({ path }) => path.slice(command.path.length + 1));
  if (below.length > 0) seen.push(`not __fish_seen_subcommand_from ${below.join(' ')}`);
  return `-n ${fishQuoted(seen.join('; and '))}`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** An option as a shell completes it. */
interface CompletedOption {
  readonly flag: string;
  readonly description: string;
  /** Its value: none, a file, any text, or one of these words. */
  readonly value: 'none' | 'file' | 'text' | readonly string[];
}

/** One command as a shell completes it. */
interface CompletedCommand {
  /** The words after `cropframe`, such as `token create`; empty for `cropframe` itself. */
  readonly path: string;
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
  /** The allowed words of its first argument. */
  readonly choices: readonly string[];
  readonly takesFiles: boolean;
}

/** Lists the command and all its subcommands, as the parser knows them. */
function completionTable(program: Command): CompletedCommand[] {
  return collect(program, '');
}

function collect(command: Command, path: string): CompletedCommand[] {
  const options = command
    .createHelp()
    .visibleOptions(command)
    .map((option) => ({
      flag: option.long ?? option.short!,
      description: option.description,
      value: completedValue(option.flags, option.argChoices),
    }));
  const args = command.registeredArguments;
  const own: CompletedCommand = {
    path,
    subcommands: command.commands.map((one) => ({
      name: one.name(),
      description: one.summary() || one.description(),
    })),
    options,
    choices: args[0]?.argChoices ?? [],
    takesFiles: args.some((one) => /^files?$/.test(one.name())),
  };
  return [own, ...command.commands.flatMap((one) => collect(one, `${path} ${one.name()}`.trim()))];
}

function completedValue(flags: string, choices: readonly string[] | undefined): CompletedOption['value'] {
  if (choices !== undefined) return choices;
  if (!flags.includes('<')) return 'none';
  return flags.includes('<file>') ? 'file' : 'text';
}
