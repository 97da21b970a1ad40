import { describe, expect, test } from 'vitest';
import { DOCUMENT_VERSION } from '../../../engine/document/constants.ts';
import { type Migration, migrateDocument, migrations } from '../../../engine/document/migrations.ts';
import { parseRoom } from '../../../engine/document/room.ts';

const steps: Migration[] = [
  { version: 1, lift: ({ size, ...rest }) => ({ ...rest, width: size }) },
  { version: 0, lift: ({ heading, ...rest }) => ({ ...rest, title: heading }) },
];

describe('lifting an older document', () => {
  test('goes step by step, in the order of versions', () => {
    expect(migrateDocument({ heading: 'Hall', size: 5 }, steps, 2)).toEqual({ title: 'Hall', width: 5, version: 2 });
  });

  test('begins at the version of the document', () => {
    const document = { version: 1, heading: 'kept', size: 5 };
    expect(migrateDocument(document, steps, 2)).toEqual({ version: 2, heading: 'kept', width: 5 });
  });

  test("that can't be lifted all the way is given back as it came", () => {
    const input = { heading: 'Hall' };
    expect(migrateDocument(input, [steps[1]!], 2)).toBe(input);
  });

  test('leaves its input alone', () => {
    const input = Object.freeze({ heading: 'Hall', size: 5 });
    migrateDocument(input, steps, 2);
    expect(input).toEqual({ heading: 'Hall', size: 5 });
  });

  test.each([
    null,
    undefined,
    7,
    'room',
    [1],
    { version: 2 },
    { version: 3 },
    { version: '1' },
    { version: 0.5 },
    { version: -1 },
  ])('gives %o back for the schema to judge', (input) => expect(migrateDocument(input, steps, 2)).toBe(input));
});

describe("the project's own steps", () => {
  test('lead without a gap from the oldest version to the current one', () => {
    expect(migrations.map(({ version }) => version)).toEqual(
      Array.from({ length: DOCUMENT_VERSION }, (_, version) => version),
    );
  });

  test('a document without a version is read as the first', () => {
    expect(parseRoom({ id: 1, title: 'Hall' })).toEqual(parseRoom({ id: 1, title: 'Hall', version: 1 }));
  });

  test.each([0.5, -1, DOCUMENT_VERSION + 1, '1', null])('version %o is refused', (version) => {
    expect(() => parseRoom({ id: 1, title: 'Hall', version })).toThrow('version');
  });
});
