import ts from 'typescript-api';
import { openProgram } from './public-names.js';

/** A parameter of a public function that takes options. */
export interface OptionParameter {
  readonly name: string;
  readonly position: number;
}

/**
 * The parameters of exported functions whose type is an object literal or is called `…Options`.
 * @param entries absolute paths of the entry files
 */
export function optionParameters(entries: readonly string[]): OptionParameter[] {
  const program = openProgram(entries);
  const checker = program.getTypeChecker();
  return entries.flatMap((entry) => {
    const file = program.getSourceFile(entry);
    const module = file && checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`${entry} is not a module`);
    return checker.getExportsOfModule(module).flatMap((exported) => {
      const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
      const { declarations = [] } = isAlias ? checker.getAliasedSymbol(exported) : exported;
      return declarations
        .filter(ts.isFunctionDeclaration)
        .flatMap(({ parameters }) =>
          parameters.flatMap(({ type }, position) =>
            type !== undefined && isOptions(type) ? [{ name: exported.name, position }] : [],
          ),
        );
    });
  });
}

function isOptions(type: ts.TypeNode): boolean {
  if (ts.isTypeReferenceNode(type)) return /Options$/.test(type.typeName.getText());
  return ts.isTypeLiteralNode(type) && type.members.length > 0;
}
