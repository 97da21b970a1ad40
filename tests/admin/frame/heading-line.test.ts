import { describe, expect, test } from 'vitest';
import { readHeadingLine, withoutHeading } from '../../../src/admin/frame/heading-line.ts';

const csv = (text: string) => new File([text], 'tokens.csv', { type: 'text/csv' });
const textOf = async (file: File) => (await readHeadingLine(file))?.text ?? null;
const TOKENS = 'x7k2p\nx9m4q\nx3t8w\nx5r1z';

describe('a heading of a list of access tokens', () => {
  test.each(['Token', 'access_token', 'First Name', '"Code"', 'VOUCHER', 'id'])(
    '%s is one by its name',
    async (name) => {
      expect(await readHeadingLine(csv(`${name}\n${TOKENS}`))).toMatchObject({ isNamed: true });
    },
  );

  test('is one by its look, where those below are like each other', async () => {
    expect(await readHeadingLine(csv(`a\n${TOKENS}`))).toMatchObject({ text: 'a', isNamed: false });
    expect(await textOf(csv(`Besucher;Name\nkey1;A\nschlüssel 22;B\nk333;C`))).toBe('Besucher');
  });

  test.each([
    ['tokens of one shape', TOKENS],
    ['tokens of words', 'apple\npear tree\nfig\nlemon'],
    ['two tokens only', 'apple\nx1'],
    ['an empty file', ''],
    ['an empty first line', `\n${TOKENS}`],
    ['JSON', '[{"token":"x1"}]'],
    ['a cell over two lines', `"To\nken"\n${TOKENS}`],
    ['one long line', 'x'.repeat(100_000)],
  ])('is none: %s', async (_name, text) => {
    expect(await readHeadingLine(csv(text))).toBeNull();
  });

  test.each(['Token', '\uFEFFTökén\uFEFF', '"Token";"Name"'])(
    '%s goes, and lines keep their numbers',
    async (first) => {
      const file = csv(`${first}\r\n${TOKENS}`);
      const heading = (await readHeadingLine(file)) ?? { text: '', isNamed: true, bytes: 0 };
      const left = await withoutHeading(file, heading).text();
      expect(left.split(/\r?\n/)).toEqual(['', ...TOKENS.split('\n')]);
      expect(withoutHeading(file, heading).name).toBe('tokens.csv');
    },
  );
});
