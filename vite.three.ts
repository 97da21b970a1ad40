import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** Where each exported name of a module is declared, following re-exports. */
function exportsOf(file: string, found = new Map<string, string>()): Map<string, string> {
  const text = readFileSync(file, 'utf8');
  const at = (path: string) => join(dirname(file), path);
  for (const [, path] of text.matchAll(/^export \* from '(.+)';/gm)) exportsOf(at(path!), found);
  for (const [, names, path] of text.matchAll(/^export \{([^}]+)\} from '(.+)';/gm)) {
    for (const name of names!.split(',').map((entry) => entry.trim()))
      if (/^\w+$/.test(name)) found.set(name, at(path!));
  }
  for (const [, names] of text.matchAll(/^export \{([^}]+)\};/gm)) {
    for (const name of names!.split(',').map((entry) => entry.trim())) if (/^\w+$/.test(name)) found.set(name, file);
  }
  for (const [, name] of text.matchAll(/^export (?:const|function|class) (\w+)/gm)) found.set(name!, file);
  return found;
}

/**
 * Imports the names of three.js from the library's own files instead of its one entry, which refers to all of them.
 * The bundler then knows what the first frame needs, and what only a later part needs loads with that part.
 */
export function threeByFile(): Plugin {
  const root = join(import.meta.dirname, 'node_modules/three/src');
  const files = exportsOf(join(root, 'Three.js'));
  return {
    name: 'three-by-file',
    apply: 'build',
    transform: {
      filter: { code: /from ['"]three['"]/ },
      handler: (code) =>
        code.replace(/import\s*\{([^}]*)\}\s*from\s*['"]three['"];?/g, (whole, names: string) => {
          const entries = names
            .split(',')
            .map((entry) => entry.trim())
            .filter(Boolean);
          const lines = entries.map((entry) => {
            const file = files.get(entry.split(/\s+as\s+/)[0]!);
            return file && `import { ${entry} } from ${JSON.stringify(file)};`;
          });
          return lines.every(Boolean) ? lines.join(' ') : whole;
        }),
    },
  };
}
