import { Converter, ReflectionKind } from 'typedoc';

/** Names the entry points as an import does: `cropframe`, `cropframe/charts` … */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const entry of project.getReflectionsByKind(ReflectionKind.Module))
      entry.name = entry.name === 'index' ? 'cropframe' : `cropframe/${entry.name}`;
  });
}
