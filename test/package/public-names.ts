import ts from 'typescript-api';

/** A public name and the file that declares it. */
export interface PublicName {
  readonly name: string;
  /** As TypeScript names it, with forward slashes. */
  readonly file: string;
  readonly documented: boolean;
  /** False for a type, which several entry points may export. */
  readonly isValue: boolean;
}

/**
 * Every name that the entry files export, followed to its declaration. Packages are not read: what an entry file
 * re-exports from one of them is left to that package.
 */
export function publicNames(entries: readonly string[]): PublicName[] {
  const program = openProgram(entries);
  const checker = program.getTypeChecker();
  return entries.flatMap((entry) => {
    const file = program.getSourceFile(entry);
    const module = file && checker.getSymbolAtLocation(file);
    return module === undefined
      ? []
      : checker.getExportsOfModule(module).map((symbol) => describeSymbol(symbol, checker));
  });
}

/** The last program, which may have the entry files of the next question: reading them takes seconds. */
let last: ts.Program | undefined;

/** Opens the entry files and what they import of this package, without the types of other packages. */
export function openProgram(entries: readonly string[]): ts.Program {
  if (last !== undefined && entries.every((entry) => last?.getSourceFile(entry) !== undefined)) return last;
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    noLib: true,
    types: [],
  };
  const host = ts.createCompilerHost(options, true);
  host.resolveModuleNameLiterals = (literals, containingFile) =>
    literals.map(({ text }) =>
      text.startsWith('.')
        ? ts.resolveModuleName(text, containingFile, options, host)
        : { resolvedModule: undefined },
    );
  last = ts.createProgram([...entries], options, host);
  return last;
}

function describeSymbol(exported: ts.Symbol, checker: ts.TypeChecker): PublicName {
  const symbol =
    (exported.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(exported) : exported;
  const declaration = symbol.declarations?.[0];
  return {
    name: exported.name,
    file: declaration?.getSourceFile().fileName ?? 'a package',
    isValue: (symbol.flags & ts.SymbolFlags.Value) !== 0,
    documented: declaration === undefined || symbol.getDocumentationComment(checker).length > 0,
  };
}
