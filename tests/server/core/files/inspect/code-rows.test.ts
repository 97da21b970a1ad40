import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CodeRow, codeRows } from '../../../../../src/server/core/files/inspect/codes/code-rows.ts';

/** Texts without quotation marks, in which everything is that a reader could take for something else. */
const plainText = fc
  .array(fc.constantFrom('a', 'Zz', "'", '=', ',', ';', '\t', '\n', '\r\n', '\r', ' ', '\u00a0', 'é', '🙂', '\ufeff'), {
    maxLength: 60,
  })
  .map((parts) => parts.join(''));

describe('rows of a file of codes', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enfilade-rows-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const rowsOf = async (content: string, isQuoted: boolean): Promise<CodeRow[]> => {
    const file = join(folder, 'codes.csv');
    await writeFile(file, content);
    const rows: CodeRow[] = [];
    for await (const part of codeRows(file, isQuoted)) rows.push(...part);
    return rows;
  };

  it('are the same from the fast reader, for files without quotation marks, as from the thorough one', async () => {
    await fc.assert(
      fc.asyncProperty(plainText, async (content) => {
        expect(await rowsOf(content, false)).toEqual(await rowsOf(content, true));
      }),
      { numRuns: 300 },
    );
  });

  it('are whole where pieces of the file end between them', async () => {
    const lines = Array.from({ length: 40_000 }, (_, index) => `${'é'.repeat(index % 13)}${index}`);
    const expected = lines.map((cell, index) => ({ cell, line: index + 1 }));
    for (const lineBreak of ['\n', '\r\n', '\r'])
      for (const isQuoted of [false, true])
        expect(
          (await rowsOf(lines.join(lineBreak), isQuoted)).map(({ cells, line }) => ({ cell: cells[0], line })),
        ).toEqual(expected);
  });
});
