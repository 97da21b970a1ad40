import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonError, valuesOf } from '../../src/contract/split-json.ts';

/** A text in pieces that end anywhere. */
async function* pieces(text: string, length: number): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += length) yield text.slice(start, start + length);
}

const read = async (text: string, length = 7) => {
  const values: unknown[] = [];
  for await (const { value } of valuesOf(pieces(text, length))) values.push(value);
  return values;
};

const object = fc.dictionary(fc.string(), fc.jsonValue());

describe('documents that are read while they arrive', () => {
  it('give what JSON.parse gives of the whole, wherever their pieces end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue()),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 0, max: 3 }),
        async (list, length, indent) => {
          const text = JSON.stringify(list, null, indent);
          expect(await read(text, length)).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it('are one value, or one after another', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(object, { minLength: 1 }), fc.integer({ min: 1, max: 20 }), async (list, length) => {
        const expected = JSON.parse(JSON.stringify(list));
        expect(await read(list.map((value) => JSON.stringify(value)).join('\n'), length)).toEqual(expected);
        expect(await read(JSON.stringify(list[0], null, 2), length)).toEqual([expected[0]]);
      }),
    );
  });

  it('are refused where they are cut off, at any place', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(object, { minLength: 1 }), fc.nat(), async (list, place) => {
        const text = JSON.stringify(list);
        await expect(read(text.slice(0, place % text.length))).rejects.toThrow(JsonError);
      }),
    );
  });

  it.each([
    ['[1,]', 1, 'missing or incomplete value'],
    ['[,1]', 1, 'missing or incomplete value'],
    ['[1] 2', 1, 'unexpected data after the list'],
    ['[\n{"a": 1},\n{"a": }]', 3, 'Unexpected token'],
    ['{"a": 1}\n{"a" 1}\n', 2, "Expected ':'"],
    ['[{"a": 1}', 1, 'unexpected end of file'],
    ['', 1, 'unexpected end of file'],
    ['}', 1, 'Unexpected token'],
  ])('%j is refused at line %i: %s', async (text, line, reason) => {
    await expect(read(text)).rejects.toMatchObject({ line, message: expect.stringContaining(reason) });
  });
});
