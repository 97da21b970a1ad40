import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { describe, expect, test } from 'vitest';

/** The words of ARCHITECTURE.md, "Words", that are not used, and how the project spells. */

const ROOT = join(import.meta.dirname, '../..');

/** What people read: screens, visitors' texts, messages of the API, of the server and of the command line. */
const TEXTS = [
  'src/{admin,editor,viewer,ui,contract}/**/*.{ts,tsx}',
  'src/server/**/*.ts',
  'engine/document/**/*.ts',
  'cli/**/*.ts',
];
const CODE = ['{src,engine,cli,tests}/**/*.{ts,tsx}', 'fixtures/make/**/*.ts'];
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'SECURITY.md', '{cli,src/*}/README.md'];

/** A word that is not used, and the one that is. */
type Word = readonly [wrong: RegExp, right: string];

const SPELLING: readonly Word[] = [
  [/\w*colour\w*/i, 'color'],
  [/\bgrey\w*/i, 'gray'],
  [/\bcancelled\b/i, 'canceled'],
  [/\bcent(?:re|red|res)\b/i, 'center'],
  [/\b\w*neighbour\w*/i, 'neighbor'],
  [/\bbehaviour\w*/i, 'behavior'],
  [/\b(?:kilo|centi|milli)?metres?\b/i, 'meter'],
  [/\blicence\w*/i, 'license'],
  [/\b(?:travelled|travelling|labelled|modelled|modelling|signalled)\b/i, 'one l'],
  [/\b(?:organ|recogn|real|optim|normal|serial|synchron|initial)is(?:e|es|ed|ing|ation)\b/i, '-ize'],
];

const GLOSSARY: readonly Word[] = [
  [/\bpictures?\b/i, 'image'],
  [/\bfilms?\b/i, 'video'],
  [/\bsounds?\b/i, 'audio'],
  [/\bcheckpoints?\b/i, 'revision'],
  [/\b(?:personal codes?|tickets?)\b/i, 'access token'],
  [/\bworlds?\b/i, 'space'],
  [/\b(?:sentences?|notices?)\b/i, 'notification'],
  [/\b(?:br(?:ing|ings|ought)(?: \w+)? back|t(?:ake|akes|aken)(?: \w+)? back)\b/i, 'restore, undo'],
  [/\b(?:let|lets|letting) go\b/i, 'evict, release'],
  [/\bcan not\b/i, "can't"],
  [/\bnot right\b/i, 'what is wrong'],
  [/\bor no longer\b/i, 'not found; it may have been deleted'],
  [/\bpieces? of page\b/i, 'block of HTML'],
  [/\bfold the panels\b/i, 'hide panels'],
  [/\bletters as solid\b/i, 'extruded 3D text'],
  [/\bnearness\b/i, 'proximity'],
  [/\bown axes\b/i, 'local axes'],
  [/\btake out\b/i, 'remove'],
  [/\bits parts$/i, 'split into parts'],
  [/\bboth as chosen\b/i, 'save these choices'],
  [/\bstarts over at its end\b/i, 'repeats when finished'],
  [/\bexpected (?:number|string) to\b/i, 'must be … or more'],
];

/** Texts that stay, each with its reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'Copyright Notice': 'The name of a dataset of IPTC.',
  'Click to enter the world...': 'the invitation at the entrance, a text of the specification',
  'Your personal code': 'the field at the entrance, a text of the specification',
  'Default ticket duration (minutes)': 'the field of structures, named by the specification',
  'World axes': 'three.js and the specification call this frame of reference the world',
  'Local or world axes': 'three.js and the specification call this frame of reference the world',
};

/** What is no text: a name in code, an address, a policy of the browser, SQL, a shader. */
const isTechnical = (text: string): boolean =>
  !/\s/.test(text.trim())
    ? !/^[A-Z][a-z]+$/.test(text.trim())
    : /[;{}]\s*\S*\s*(?:gl_|uniform|varying|picture-in-picture)|^\s*(?:select|insert|update|delete|create|alter|pragma)\b/i.test(
        text,
      );

interface Piece {
  text: string;
  at: number;
}

/** Texts in a program: string literals, templates, and words between tags. */
function textsIn(program: unknown): Piece[] {
  const found: Piece[] = [];
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const node = value as Record<string, unknown>;
    const at = Number(node.start);
    if (node.type === 'ImportDeclaration' || /^TS(?!NonNull|As|Satisfies)/.test(String(node.type))) return;
    if ((node.type === 'Literal' || node.type === 'JSXText') && typeof node.value === 'string')
      found.push({ text: node.value, at });
    if (node.type === 'TemplateElement') found.push({ text: (node.value as { raw: string }).raw, at });
    for (const part of Object.values(node)) look(part);
  };
  look(program);
  return found;
}

const textsOf = (file: string, source: string): Piece[] => textsIn(parseSync(file, source).program);

/** Files with the words of others, such as what exports call their columns, and of other languages. */
const OF_OTHERS = [
  'words.test.ts',
  'inspect/codes/heading-names.ts',
  ...['de', 'fr', 'nl', 'es', 'it', 'pt', 'pl', 'ja', 'ar'].map((language) => `viewer-texts/${language}.ts`),
];

const filesOf = (patterns: readonly string[]): string[] => {
  const files = globSync([...patterns], { cwd: ROOT }).filter(
    (file) => !OF_OTHERS.some((other) => file.endsWith(other)),
  );
  expect(files.length).toBeGreaterThan(0);
  return files.sort();
};

/** @returns each wrong word as file:line, word, and the one to use */
function wrongIn(file: string, source: string, pieces: readonly Piece[], words: readonly Word[]): string[] {
  return pieces.flatMap(({ text, at }) =>
    words.flatMap(([wrong, right]) => {
      const found = wrong.exec(text);
      if (!found) return [];
      const line = source.slice(0, at + found.index).split('\n').length;
      return [`${file}:${line} “${found[0]}”: use ${right}`];
    }),
  );
}

function wrongTexts(file: string, source: string, all: readonly Piece[] = textsOf(file, source)): string[] {
  const texts = all.filter(({ text }) => !isTechnical(text) && EXCEPTIONS[text.trim()] === undefined);
  return wrongIn(file, source, texts, [...GLOSSARY, ...SPELLING]);
}

const OF_COMMENTS: readonly Word[] = [...SPELLING, [/\bcan not\b/i, 'cannot']];

function wrongComments(file: string, source: string): string[] {
  // A word of a comment is one of its file: most files need not be parsed.
  const words = OF_COMMENTS.filter(([wrong]) => wrong.test(source));
  if (words.length === 0) return [];
  const { comments } = parseSync(file, source);
  const pieces = comments.map(({ value, start }) => ({ text: value, at: start }));
  return wrongIn(file, source, pieces, words);
}

/** A document without its table of words, which names those that are not used, and without messages of the API. */
const proseOf = (text: string): string =>
  text
    .split('\n## Words\n')[0]!
    .replace(/<!-- errors -->[\s\S]*<!-- \/errors -->/, (table) => table.replaceAll(/[^\n]/g, ''));

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

describe('words', () => {
  /** Files with texts that people read, with those texts. */
  const sources = filesOf(TEXTS).map((file) => {
    const source = read(file);
    return { file, source, texts: textsOf(file, source) };
  });

  test('texts that people read use one word for each thing', () => {
    expect(sources.flatMap(({ file, source, texts }) => wrongTexts(file, source, texts))).toEqual([]);
  });

  test('comments are in American spelling', () => {
    expect(filesOf(CODE).flatMap((file) => wrongComments(file, read(file)))).toEqual([]);
  });

  test('documents are in American spelling and use one word for each thing', () => {
    // The changelog stays as it was released, but for its newest part.
    const parts = filesOf(DOCUMENTS).map((file) => [file, proseOf(read(file))] as const);
    const [newest = ''] = read('CHANGELOG.md')
      .split(/\n(?=## )/)
      .slice(1);
    const words: Word[] = [...SPELLING, [/\bcan not\b/i, "can't"], [/\bpersonal codes?\b/i, 'access token']];
    const wrong = [...parts, ['CHANGELOG.md', newest] as const].flatMap(([file, text]) =>
      wrongIn(
        file,
        text,
        text.split(/(?<=\n)/).map((line, index, lines) => ({ text: line, at: lines.slice(0, index).join('').length })),
        words,
      ),
    );
    expect(wrong).toEqual([]);
  });

  test('every exception is still a text of the project', () => {
    const texts = new Set(sources.flatMap((each) => each.texts.map(({ text }) => text.trim())));
    expect(Object.keys(EXCEPTIONS).filter((text) => !texts.has(text))).toEqual([]);
  });

  test.each([
    ['a message', "throw new Error('The picture is damaged.');", 'file.tsx:1 “picture”: use image'],
    ['a label', '\nconst label = <Field label="Film" />;', 'file.tsx:2 “Film”: use video'],
    ['words between tags', 'const said = <p>\nBring it back</p>;', 'file.tsx:2 “Bring it back”: use restore, undo'],
    ['a template', 'const text = `It can not be read.`;', "file.tsx:1 “can not”: use can't"],
  ])('%s with a wrong word is found with its line', (_, source, said) => {
    expect(wrongTexts('file.tsx', source)).toEqual([said]);
  });

  test('a comment in British spelling is found with its line', () => {
    expect(wrongComments('file.ts', '\n// The colour.\nconst a = 1;')).toEqual(['file.ts:2 “colour”: use color']);
  });
});
