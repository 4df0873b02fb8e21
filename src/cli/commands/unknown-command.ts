import type { Command } from 'commander';
import { ArgumentError } from '../../model/errors.js';
import { editDistance } from '../../search/fuzzy-match.js';

const MAX_EDITS = 2;

/** The error for an unknown command word, which the parser passes to the program as its first argument. */
export function unknownCommand(program: Command): ArgumentError {
  const word = program.args[0]!;
  const known = program.commands.map((one) => one.name());
  const nearest = nearestWord(word, known);
  const remedy =
    nearest === undefined ? `the commands are ${known.join(', ')}` : `did you mean "${nearest}"?`;
  return new ArgumentError('command', `there is no command "${word}"; ${remedy}`);
}

function nearestWord(typed: string, known: readonly string[]): string | undefined {
  const near = known
    .map((word) => ({ word, edits: editDistance(typed, word, MAX_EDITS) }))
    .filter(({ word, edits }) => edits <= MAX_EDITS && edits < word.length)
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.word;
}
