import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Argument,
  type AwaitExpression,
  type CallExpression,
  type Expression,
  type ForOfStatement,
  type MemberExpression,
  parseSync,
  Visitor,
} from 'oxc-parser';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Lines in which a loop waits for a promise that it goes over, itself or by `refused` or `expect`. All of them were begun
 * before the first was waited for: one that fails meanwhile fails with nobody to hear it, which ends a process of Node.
 */
function lateWaits(path: string, text: string): string[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  const named: ReadonlySet<string>[] = [];
  const lines: string[] = [];
  const note = (waited: Expression | Argument | undefined) => {
    if (waited?.type !== 'Identifier' || !named.some((names) => names.has(waited.name))) return;
    lines.push(`${path}:${text.slice(0, waited.start).split('\n').length}`);
  };
  const enterLoop = ({ await: isAwaiting, left }: ForOfStatement) => {
    named.push(new Set(isAwaiting ? [] : text.slice(left.start, left.end).match(/[\w$]+/g)));
  };
  const leaveLoop = () => {
    named.pop();
  };
  const noteAwaited = ({ argument }: AwaitExpression) => note(argument);
  const noteRefused = ({ callee, arguments: [first] }: CallExpression) => {
    if (callee.type === 'Identifier' && callee.name === 'refused') note(first);
  };
  const noteExpected = ({ object, property }: MemberExpression) => {
    if (property.type !== 'Identifier' || !['rejects', 'resolves'].includes(property.name)) return;
    if (object.type === 'CallExpression') note(object.arguments[0]);
  };
  new Visitor({
    ForOfStatement: enterLoop,
    'ForOfStatement:exit': leaveLoop,
    AwaitExpression: noteAwaited,
    CallExpression: noteRefused,
    MemberExpression: noteExpected,
  }).visit(program);
  return lines;
}

test('no loop waits for one promise after another that were all begun before', () => {
  const looping = globSync('{src,engine,cli,tests}/**/*.{ts,tsx}', { cwd: ROOT })
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
    .filter(({ text }) => /\bfor \(/.test(text) && text.includes('await'));
  expect(looping.length).toBeGreaterThan(300);
  expect(looping.flatMap(({ path, text }) => lateWaits(path, text))).toEqual([]);
});

test.each([
  ['for (const call of [one(), two()]) await call;', 1],
  ['for (const call of [one(), two()])\n  expect((await refused(call)).code).toBe("x");', 2],
  ['for (const [name, call] of calls) await expect(call, name).rejects.toThrow();', 1],
  ['for (const pool of pools) await (await pool).close();', 1],
])('%j would be found', (text, line) => {
  expect(lateWaits('some.test.ts', text)).toEqual([`some.test.ts:${line}`]);
});

test.each([
  'for (const call of [one, two]) await call();',
  'for (const call of [one, two]) await refused(call());',
  'for await (const call of stream) await call;',
  'for (const { url } of rooms) await open(url);',
])('%j would not', (text) => {
  expect(lateWaits('some.test.ts', text)).toEqual([]);
});
