import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY } from '../../../engine/document/constants.ts';
import { LINT_CODES, type LintCode, severityOf } from '../../../engine/document/lint/codes.ts';
import { lintRoom } from '../../../engine/document/lint/lint-room.ts';
import { nearest } from '../../../engine/document/lint/nearest.ts';
import { rules } from '../../../engine/document/lint/rules.ts';
import { isOpenAt, spansOf } from '../../../engine/document/window.ts';
import { arbitraryRoom } from '../../harness/arbitrary-room.ts';
import { type Case, element, link, room } from './lint/room-builders.ts';
import { silent } from './lint/silent-cases.ts';
import { NOW, spoken } from './lint/spoken-cases.ts';

const codesOf = (input: unknown) => lintRoom(input).map(({ code }) => code);

describe('each code', () => {
  test.each(spoken)('$code at "$path": $name', ({ code, path, id, input }: Case) => {
    const found = lintRoom(input, NOW).filter((finding) => finding.code === code);
    expect(found.map((finding) => [finding.path, finding.element_id])).toEqual([[path, id]]);
    expect(found[0]!.severity).toBe(severityOf(code));
    expect(found[0]!.message).toMatch(/^\S.{4,}/);
    expect(found[0]!.suggestion).toMatch(/^[A-Z].*[.?]$/);
  });

  test('has a case here, and a sentence in the table', () => {
    expect([...new Set(spoken.map(({ code }) => code))].sort()).toEqual(Object.keys(LINT_CODES).sort());
    for (const [code, sentence] of Object.entries(LINT_CODES)) {
      expect(code).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
      expect(sentence).toMatch(/^[A-Z].+\.$/);
    }
  });

  test('of each case is the only one that is worth more than a note, unless the case says so', () => {
    for (const { name, code, input, also = [] } of spoken) {
      const others = lintRoom(input, NOW).filter((finding) => finding.code !== code && finding.severity !== 'info');
      expect(
        others.map((finding) => finding.code),
        name,
      ).toEqual(also);
    }
  });
});

describe('a room without faults', () => {
  test('has no findings', () => {
    expect(lintRoom({ id: 1, title: 'Hall' })).toEqual([]);
  });

  test.each(silent)('$name: nothing is found', ({ input }) => {
    expect(lintRoom(input, NOW)).toEqual([]);
  });

  test('may carry what the server adds to its answers', () => {
    const answer = room({ policies: {}, timestamp_current: 1, timestamp_end_of_day: 2, timestamp_start_of_day: 0 });
    expect(lintRoom(answer)).toEqual([]);
  });
});

describe("what can't be read", () => {
  test.each([null, undefined, 5, 'room', [], true])('%o is one finding', (input) => {
    expect(lintRoom(input)).toMatchObject([{ severity: 'error', code: 'schema', path: '' }]);
  });

  test('an unknown type is an invalid element, with the nearest type as a suggestion', () => {
    const named = (type: string) => lintRoom(room({}, element('light', 1, { element: type })))[0];
    expect(named('vidoe')).toEqual({
      severity: 'error',
      path: 'elements[0].element',
      element_id: 1,
      code: 'unknown-element-type',
      message: expect.stringMatching(/^Unknown element type "vidoe"\. Use one of audio, .*view_point\.$/),
      suggestion: 'Did you mean "video"?',
    });
    expect(named('RichText')!.suggestion).toBe('Did you mean "rich_text"?');
    expect(named('hologram')!.suggestion).toContain('Use one of audio, ');
  });

  test('one bad element hides neither its neighbors nor its children', () => {
    const broken = element('light', 2, { config: { scale_x: 'wide' }, position_x: 'left' }, element('image', 3));
    const input = room({}, element('model', 1), broken, element('audio', 4));
    expect(lintRoom(input).map(({ code, path }) => `${code} ${path}`)).toEqual([
      'unknown-field elements[1].config.scale_x',
      'schema elements[1].position_x',
      'missing-file elements[0].config.file_url',
      'missing-file elements[1].children[0].config.file_url',
      'missing-file elements[2].config.file_url',
      'media-without-alternative elements[0].config.alt',
      'image-without-alternative elements[1].children[0].config.alt',
      'media-without-alternative elements[2].config.alt',
    ]);
  });

  test("an element that can't be read is still there for links to it", () => {
    const button = element('button', 1, link('view_point', { view_point_id: 2 }));
    expect(codesOf(room({}, button, element('view_point', 2, { width: 'wide' })))).toEqual(['schema']);
    const slider = element('group', 2, { config: { slider_enabled: true, feed_id: 'none' } });
    expect(codesOf(room({}, element('button', 1, link('slider')), slider))).toEqual(['schema']);
  });

  test("children of an element that can't be read are not said to stand outside", () => {
    const inside = element('text', 2, { position_x: 5000 });
    expect(codesOf(room({}, element('group', 1, { scale_x: 'tiny' }, inside)))).toEqual(['schema']);
  });

  test('faults of the room do not hide those of its elements, and bring no others about', () => {
    const config = { fog: { enabled: true, near: 9, far: '9' }, show_start_popup: true, duration: -1, camera: 'front' };
    const input = { title: 7, description: 7, config, elements: [element('model', 1)], template: {} };
    expect(lintRoom(input).map(({ code, path }) => `${code} ${path}`)).toEqual([
      'schema title',
      'schema description',
      'schema config.camera',
      'schema config.fog.far',
      'schema config.duration',
      'schema id',
      'schema template.id',
      'schema template.name',
      'missing-file elements[0].config.file_url',
      'media-without-alternative elements[0].config.alt',
    ]);
  });

  test('suggestions for values say what to write', () => {
    const light = (config: object) => lintRoom(room({}, element('light', 1, { config })))[0]!.suggestion;
    expect(light({ light_type: 'spotlight' })).toBe('Did you mean "spot_light"?');
    expect(light({ target: { type: 'Elment' } })).toBe('Did you mean "Element"?');
    expect(light({ intensity: 2000 })).toBe('Use at most 1000.');
    expect(light({ intensity: -1 })).toBe('Use at least 0.');
    expect(light({ intensity: '1' })).toBe('Use a value of type number.');
    expect(light({ color: 'red' })).toBe('Use a HEX color such as #FF0000.');
    expect(lintRoom({ id: 1 })[0]!.suggestion).toBe('Add a value of type string.');
    expect(lintRoom({ id: 1, title: '' })[0]!.suggestion).toBe('Enter a value.');
  });

  test('nesting of 100,000 levels is one finding', () => {
    const deep = JSON.parse(`{"elements":[${'{"children":['.repeat(100_000)}${']}'.repeat(100_000)}]}`);
    expect(lintRoom(deep)).toMatchObject([
      { code: 'schema', path: 'elements', message: 'Elements are nested deeper than 32.' },
    ]);
  });

  test('100,000 levels in a field that nobody knows do not matter', () => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    const input = JSON.parse(
      `{"id":1,"title":"Hall","extra":${deep},"elements":[{"id":1,"element":"light","extra":${deep}}]}`,
    );
    expect(codesOf(input)).toEqual(['unknown-field', 'unknown-field']);
  });

  test('any JSON at all gives findings, never an exception', () => {
    const key = fc.constantFrom(
      'id',
      'title',
      'config',
      'elements',
      'element',
      'children',
      'template',
      'navigation',
      '__proto__',
      'target',
      'type',
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom(null, 0, -1, 1.5, '', 'light', 'view_point', true),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(value, (input) => {
        const found = lintRoom(input);
        expect(found.every(({ code }) => code in LINT_CODES)).toBe(true);
        // Without a title nothing is a room.
        if (typeof (input as { title?: unknown } | null)?.title !== 'string') expect(found.length).toBeGreaterThan(0);
      }),
      { numRuns: 1000, seed: 7 },
    );
  });
});

describe('any valid room', () => {
  const never = new Set<LintCode>(['schema', 'newer-version', 'unknown-element-type', 'unknown-field', 'duplicate-id']);

  test('gives no finding that a reader would refuse it for, and is not changed', () => {
    fc.assert(
      fc.property(arbitraryRoom(), (generated) => {
        const before = structuredClone(generated);
        expect(lintRoom(generated).filter(({ code }) => never.has(code))).toEqual([]);
        expect(generated).toEqual(before);
      }),
      { numRuns: 300, seed: 8 },
    );
  });

  test('gives paths that lead to their elements', () => {
    const at = (input: unknown, path: string) =>
      path
        .split(/[.[\]]+/)
        .filter(Boolean)
        .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], input);
    fc.assert(
      fc.property(arbitraryRoom(), (generated) => {
        for (const { path, element_id } of lintRoom(generated)) {
          if (element_id === undefined) continue;
          const owner = /^(?:elements\[\d+\])(?:\.children\[\d+\])*/.exec(path)![0];
          expect(at(generated, owner)).toMatchObject({ id: element_id });
        }
      }),
      { numRuns: 300, seed: 9 },
    );
  });
});

test('every rule is in the list once', () => {
  expect(new Set(rules).size).toBe(rules.length);
});

describe('the nearest word', () => {
  const known = ['position_x', 'position_y', 'title', 'title_color'];
  test.each([
    ['positon_x', 'position_x'],
    ['positionX', 'position_x'],
    ['Title', 'title'],
    ['title_colour', 'title_color'],
    ['banana', undefined],
    ['', undefined],
    [7, undefined],
    ['x'.repeat(100_000), undefined],
  ])('to %s', (word, expected) => {
    expect(nearest(word, known)).toBe(expected);
  });
});

describe('times that clocks skip', () => {
  const messages = (start_time: string, end_time: string | null, time_zone: string) =>
    lintRoom(room({}, element('text', 1, { name: 'Bell', start_time, end_time, time_zone })), NOW).map(
      ({ message }) => message,
    );

  test('are named with their day, and with what that means for the element', () => {
    expect(messages('02:30', '04:00', 'Europe/Amsterdam')).toEqual([
      'The text "Bell" is shown from 02:30, but clocks in Europe/Amsterdam skip 02:00 to 03:00 on March 29, 2026. On that day it is shown from 03:00.',
    ]);
    expect(messages('02:10', '02:50', 'Europe/Amsterdam')).toEqual([
      'The text "Bell" is shown from 02:10, but clocks in Europe/Amsterdam skip 02:00 to 03:00 on March 29, 2026. On that day it is not shown.',
    ]);
    expect(messages('02:15', null, 'Australia/Lord_Howe')).toEqual([
      'The text "Bell" is shown from 02:15, but clocks in Australia/Lord_Howe skip 02:00 to 02:30 on October 4, 2026. On that day it is shown from 02:30.',
    ]);
  });

  test('agree with when the scene shows the element', () => {
    const window = { from: 2 * 3600 + 600, till: 2 * 3600 + 3000 };
    const clock = { time_zone: 'Europe/Amsterdam', utc_offset: null };
    const day = Date.UTC(2026, 2, 29) / 1000;
    const spans = (from: number) => spansOf(window, clock, from, from + DAY);
    expect([spans(day - DAY).length, spans(day).length, spans(day + DAY).length]).toEqual([1, 0, 1]);
    expect(isOpenAt({ visible_between: window, ...clock }, day + 3600)).toBe(false);
  });

  test('are not looked for in a fixed offset, or where the day is not known', () => {
    const timed = { start_time: '02:30', time_zone: 'Europe/Amsterdam' };
    expect(lintRoom(room({}, element('text', 1, timed)))).toEqual([]);
    expect(lintRoom(room({}, element('text', 1, { ...timed, time_zone: null, utc_offset: -60 })), NOW)).toEqual([]);
    expect(messages('02:30', null, 'Asia/Tokyo')).toEqual([]);
    expect(messages('03:00', null, 'Europe/Amsterdam')).toEqual([]);
    expect(messages('01:59', null, 'Europe/Amsterdam')).toEqual([]);
  });
});
