import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { check } from 'recheck';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** Milliseconds that the examination of one pattern may take. */
const PATIENCE = 60_000;
/** Milliseconds that the examination of all of them may take on a slow machine. */
const LONG = 600_000;
/** How it is examined: by counting steps, which are the same on a busy machine. */
const STEADY = { timeout: PATIENCE, attackTimeout: null, incubationTimeout: null, recallTimeout: null };

/** A pattern of the source, and where it stands. */
interface Pattern {
  place: string;
  source: string;
  flags: string;
}

/** Patterns that may take longer than their text, and what bounds the text. */
const BOUNDED: Record<string, string> = {
  'src/server/pages/built-page.ts <script(?![^>]*\\b(?:src|type)=)[^>]*>([\\s\\S]*?)<\\/script>':
    'The text is a page of our own build, some 20 kB, and is read once for each build.',
  'src/server/features/static-sites/site-writer.ts [\\w.~-]{1,200}-[\\w-]{8}\\.(?:js|css|wasm|woff2?|svg|png|jpe?g|webp|json|bin)':
    'The text is of our own build.',
  'src/server/features/static-sites/rewrite.ts (<(script|style)\\b[^>]*>[\\s\\S]*?<\\/\\2>)':
    'The text is a page of this server, in which every script and style ends; texts of users in it are escaped.',
};

/** A piece of a program as the parser gives it. */
type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

function* nodesOf(value: unknown): Generator<Node> {
  if (!isNode(value)) return;
  yield value;
  for (const part of Object.values(value)) yield* nodesOf(part);
}

/** What a constructor is given, as text; what is filled in counts as a plain word, as all that is filled in are constants. */
function textOf(argument: Node | undefined): string | undefined {
  if (typeof argument?.value === 'string') return argument.value;
  if (argument?.type !== 'TemplateLiteral') return undefined;
  return (argument.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('word');
}

/** Every pattern of a file, written as a literal or given to RegExp. */
function patternsIn(place: string): Pattern[] {
  const { program, errors } = parseSync(place, readFileSync(join(ROOT, place), 'utf8'));
  expect(errors, place).toEqual([]);
  return [...nodesOf(program)].flatMap(({ regex, callee, arguments: given }) => {
    if (isNode(regex)) return { place, source: String(regex.pattern), flags: String(regex.flags) };
    if (!isNode(callee) || callee.name !== 'RegExp') return [];
    const [pattern, flags] = given as Node[];
    const source = textOf(pattern);
    if (source === undefined) throw new Error(`${place} makes a pattern of what is not known before it runs.`);
    return { place, source, flags: textOf(flags) ?? '' };
  });
}

test('no pattern takes longer than in proportion to its text, whatever the text', { timeout: LONG }, async () => {
  const patterns = globSync('{engine,src,cli}/**/*.{ts,tsx,js}', { cwd: ROOT }).flatMap(patternsIn);
  expect(patterns.length).toBeGreaterThan(100);
  const found = new Set<string>();
  const verdicts = new Map<string, string>();
  for (const { place, source, flags } of patterns) {
    const key = `/${source}/${flags}`;
    const name = `${place} ${source}`;
    // Of one that is known to take long, counting would take as long as the patience for it.
    const how = name in BOUNDED ? { timeout: PATIENCE } : STEADY;
    const verdict = verdicts.get(key) ?? (await check(source, flags, how)).status;
    verdicts.set(key, verdict);
    if (verdict !== 'safe') found.add(name);
  }
  expect([...found].sort()).toEqual(Object.keys(BOUNDED).sort());
});
