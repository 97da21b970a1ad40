import { resolve } from 'node:path';
import { type Plugin, parseAst } from 'vite';

const HELPER = resolve(import.meta.dirname, 'src/ui/load-part.ts');
/** Modules of the pages, as opposed to packages and to what other sites import. */
const MODULE = /[\\/](?:src[\\/](?!sdk[\\/]|ui[\\/]load-part\.ts)|engine[\\/])[^?]*\.tsx?$/;

/** A node of a syntax tree. */
interface Node {
  type: string;
  start: number;
  end: number;
}

/** All dynamic imports of known modules, outermost last. */
function importsIn(node: unknown, found: Node[] = []): Node[] {
  if (Array.isArray(node)) for (const each of node) importsIn(each, found);
  else if (typeof node === 'object' && node !== null) {
    for (const each of Object.values(node)) importsIn(each, found);
    const { type, source } = node as Node & { source?: Node };
    if (type === 'ImportExpression' && source?.type === 'Literal') found.push(node as Node);
  }
  return found;
}

/** Wraps every dynamic import of the pages, so that each lazily loaded part is retried. */
export function retriedImports(): Plugin {
  return {
    name: 'retried-imports',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: MODULE, code: 'import(' },
      handler(code) {
        const found = importsIn(parseAst(code));
        if (found.length === 0) return null;
        let wrapped = code;
        for (const { start, end } of found.sort((one, other) => other.start - one.start))
          wrapped = `${wrapped.slice(0, start)}__loadPart(() => ${wrapped.slice(start, end)})${wrapped.slice(end)}`;
        return { code: `import { loadPart as __loadPart } from ${JSON.stringify(HELPER)};\n${wrapped}`, map: null };
      },
    },
  };
}
