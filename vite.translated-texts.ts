import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { readTexts, type SourceText } from './vite.source-texts.ts';

/** Modules with texts of the back-office. Pages of visitors share some of `src/ui`, which have no texts of their own. */
const MODULES = /[\\/]src[\\/](?:admin|editor|ui)[\\/].+\.tsx?$/;
const UNTRANSLATED =
  /[\\/](?:ui[\\/](?:language[\\/].+|load-part|storage|trusted-types|quiet-zod)|editor[\\/]poster[\\/].+|begin)\.ts$/;
const RUNTIME = resolve(import.meta.dirname, 'src/ui/language/say.ts');

/** Whether a file has texts to translate. */
export const hasTexts = (file: string): boolean => MODULES.test(file) && !UNTRANSLATED.test(file);

/** The texts of a file in their order. */
export const textsOf = (file: string, code: string): SourceText[] => readTexts(file, code).texts;

/** A file with calls that translate its texts. */
export function translatable(file: string, code: string): string {
  const { edits } = readTexts(file, code);
  if (edits.length === 0) return code;
  let rest = 0;
  let made = '';
  for (const edit of edits.toSorted((one, other) => one.start - other.start || one.end - other.end)) {
    if (edit.start < rest) throw new Error(`${file}: texts overlap at ${edit.start}.`);
    made += code.slice(rest, edit.start) + edit.code;
    rest = edit.end;
  }
  const runtime = `import { isOne as $isOne, join as $join, say as $say } from ${JSON.stringify(RUNTIME)};`;
  return `${runtime}${made}${code.slice(rest)}`;
}

/** Makes the texts of the back-office translatable. Their English sources are the keys of the tables in `src/ui/language`. */
export function translatedTexts(): Plugin {
  return {
    name: 'translated-texts',
    enforce: 'pre',
    transform: {
      filter: { id: { include: MODULES, exclude: UNTRANSLATED } },
      handler: (code, id) => translatable(id, code),
    },
  };
}
