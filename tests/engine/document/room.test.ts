import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { DocumentError, nestedRoom, parseRoom, parseUntrustedRoom, roomSchema } from '../../../engine/document/room.ts';
import { findElement } from '../../../engine/document/tree.ts';
import { arbitraryRoom } from '../../harness/arbitrary-room.ts';

const room = (fields: object = {}) => ({ id: 1, title: 'Hall', ...fields });
const light = (id: number, fields: object = {}) => ({ id, element: 'light', ...fields });

function issuesOf(input: unknown): string[] {
  try {
    parseRoom(input);
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    return error.issues.map(({ path }) => path.join('.'));
  }
  return [];
}

/** A room whose deepest element stands inside this many others; built as text, because objects that deep overflow. */
function nested(depth: number): unknown {
  const open = '{"id":1,"element":"group","children":[';
  return JSON.parse(
    `{"id":1,"title":"Deep","elements":[${open.repeat(depth)}{"id":1,"element":"group"}${']}'.repeat(depth)}]}`,
  );
}

describe('defaults of a room', () => {
  const { config, ...fields } = parseRoom(room());

  test('are a box of 2000 × 1000 × 6000 without elements', () => {
    expect(fields).toEqual({
      id: 1,
      version: 2,
      name: '',
      title: 'Hall',
      description: '',
      template_id: null,
      template: null,
      width: 2000,
      height: 1000,
      depth: 6000,
      elements: [],
      angle: null,
    });
  });

  test('are a camera with near 0.1, far 6000, fov 50 that only walks', () => {
    const origin = { x: 0, y: 0, z: 0 };
    expect(config.camera).toEqual({
      near: 0.1,
      far: 6000,
      fov: 50,
      position: origin,
      rotation: { x: 0, y: 0 },
      rotate: false,
      rotate_left_button: false,
      zoom: false,
      manual_panning: false,
      min_pan: origin,
      max_pan: origin,
      angle: null,
      portrait: null,
    });
  });

  test('are neither timed nor realtime, without fog, pop-ups or links', () => {
    const { camera, ...others } = config;
    expect(others).toEqual({
      start_view_point_id: null,
      autorotate_speed: 0,
      compass: false,
      nadir_blur: 0,
      ambient_light: 1,
      fog: { enabled: false, color: '#FFFFFF', near: 1, far: 6000 },
      pixelratio: null,
      animate: false,
      realtime: false,
      realtime_file_url: '',
      realtime_scale: { x: 1, y: 1, z: 1 },
      realtime_rotate: { x: 0, y: 0, z: 0 },
      realtime_file: null,
      realtime_file_id: null,
      duration: null,
      show_start_popup: false,
      show_timed_timer: 'off',
      show_timed_popup: false,
      timed_popup_offset: 0,
      timed_popup_text: '',
      timed_popup_action_left: null,
      timed_popup_action_center: null,
      timed_popup_action_right: null,
      timed_popup_action_required: false,
      top_left_link: null,
      top_right_link: null,
      bottom_left_link: null,
      bottom_right_link: null,
    });
  });

  test('a template takes the same box and camera, as a grid', () => {
    const { template } = parseRoom(room({ template: { id: 5, name: 'White cube' } }));
    expect(template).toMatchObject({ model_type: 'grid', width: 2000, height: 1000, depth: 6000, file: null });
    expect(template!.config).toEqual({
      camera: config.camera,
      animate: false,
      transition: 'zoom',
      tone_mapping: 'neutral',
      frame_width: 0,
      frame_depth: 12,
      frame_color: '#2B231C',
      mat_width: 0,
      mat_color: '#F7F6F2',
      contact_shadow: 0,
    });
  });
});

describe('bounds', () => {
  const template = { id: 1, name: 'T' };
  const refused: [string, object][] = [
    ['title', { title: '' }],
    ['title', { title: '   ' }],
    ['title', { title: 'x'.repeat(256) }],
    ['title', { title: 'a\u0000b' }],
    ['title', { title: 'half \ud800' }],
    ['description', { description: 'half \ud800' }],
    ['description', { description: 'x'.repeat(200_001) }],
    ['id', { id: 0 }],
    ['id', { id: 1.5 }],
    ['id', { id: 2 ** 53 }],
    ['id', { id: '1' }],
    ['version', { version: 3 }],
    ['width', { width: -1 }],
    ['height', { height: 1_000_001 }],
    ['depth', { depth: Number.NaN }],
    ['width', { width: Number.POSITIVE_INFINITY }],
    ['width', { width: Number.NEGATIVE_INFINITY }],
    ['angle.x', { angle: { x: 2_000_000 } }],
    ['config.camera.fov', { config: { camera: { fov: 171 } } }],
    ['config.camera.near', { config: { camera: { near: 0 } } }],
    ['config.camera.near', { config: { camera: { near: 10, far: 10 } } }],
    ['config.camera.rotation.x', { config: { camera: { rotation: { x: Number.NaN } } } }],
    ['config.fog.color', { config: { fog: { color: 'red' } } }],
    ['config.pixelratio', { config: { pixelratio: 0 } }],
    ['config.duration', { config: { duration: 0 } }],
    ['config.show_timed_timer', { config: { show_timed_timer: 'middle' } }],
    ['config.timed_popup_offset', { config: { timed_popup_offset: -1 } }],
    ['template.name', { template: { ...template, name: '' } }],
    ['template.model_type', { template: { ...template, model_type: 'sphere' } }],
    ['template.font_color', { template: { ...template, font_color: '#12345' } }],
    [
      'template.file.url',
      { template: { ...template, file: { id: 1, name: 'a', type: 'object', url: 'javascript:0' } } },
    ],
    ['elements', { elements: {} }],
    ['elements.0.element', { elements: [{ id: 1, element: 'picture' }] }],
    ['elements.0.scale_x', { elements: [light(1, { scale_x: 1001 })] }],
    ['elements.0.start_time', { elements: [light(1, { start_time: '24:00' })] }],
    ['elements.0.start_time', { elements: [light(1, { start_time: '9:00' })] }],
    ['elements.0.utc_offset', { elements: [light(1, { utc_offset: 841 })] }],
    ['elements.0.visible_between.till', { elements: [light(1, { visible_between: { from: 0, till: 86_401 } })] }],
    ['elements.0.children.0.position_x', { elements: [light(1, { children: [light(2, { position_x: 1e7 })] })] }],
  ];
  test.each(refused)('%s out of bounds is refused: %o', (path, fields) => {
    expect(issuesOf(room(fields))).toEqual([path]);
  });

  const taken: object[] = [
    { width: 0, height: 1_000_000 },
    { config: { camera: { near: 0.01, far: 1 } } },
    { config: { pixelratio: 4, duration: 31_536_000 } },
    { elements: [light(2 ** 53 - 1, { start_time: '00:00', end_time: '23:59', utc_offset: -840 })] },
  ];
  test.each(taken)('the bounds themselves are taken: %o', (fields) => {
    expect(parseRoom(room(fields))).toMatchObject(fields);
  });

  test.each([null, undefined, 'room', 7, [], true])('%o is not a room', (input) => {
    expect(() => parseRoom(input)).toThrow(DocumentError);
  });

  test.each([99, '99', 2.5])('of version %o is too new, in a sentence that says what to do', (version) => {
    const read = () => parseRoom(room({ version, elements: [{ element: 'hologram' }] }));
    const sentence = `This document has format version ${version}, but this program supports up to 2. Update Enfilade.`;
    expect(read).toThrow(`version: ${sentence}`);
  });

  test('with an element of an unknown type is told which types there are', () => {
    const sentence = /Unknown element type "hologram"\. Use one of audio, .*, view_point\./;
    expect(() => parseRoom(room({ elements: [{ id: 1, element: 'hologram' }] }))).toThrow(sentence);
  });

  test('from elsewhere is refused where an element stands in one that is not there; any other holder is as the tree has it', () => {
    const stray = (parent: number) => room({ elements: [light(1), light(2, { parent_element_id: parent })] });
    const sentence = "elements.1.parent_element_id: Element 7 doesn't exist in this document.";
    expect(() => parseUntrustedRoom(stray(7))).toThrow(sentence);
    expect(parseUntrustedRoom(stray(1)).elements[1]!.parent_element_id).toBeNull();
  });

  test('every fault is listed, not only the first', () => {
    expect(issuesOf({ id: 0, elements: [light(0), light(1), light(2, { width: -1 })] })).toEqual([
      'title',
      'id',
      'elements.0.id',
      'elements.2.width',
    ]);
  });
});

describe('what a room does not know', () => {
  test('is dropped at every level', () => {
    const parsed = parseRoom(
      room({
        extra: 1,
        config: { extra: 1, camera: { extra: 1 } },
        elements: [light(1, { extra: 1, config: { extra: 1 } })],
      }),
    );
    expect(JSON.stringify(parsed)).not.toContain('extra');
  });

  test('__proto__ keys change nothing', () => {
    const hostile = '{"hidden":true,"polluted":true}';
    const input = `{"id":1,"title":"Hall","__proto__":${hostile},"config":{"__proto__":${hostile}},
      "elements":[{"id":1,"element":"light","__proto__":${hostile},"config":{"__proto__":${hostile},"constructor":1}}]}`;
    expect(parseRoom(JSON.parse(input))).toStrictEqual(parseRoom(room({ elements: [light(1)] })));
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('the tree', () => {
  test('an id used twice is refused with the place of the second, wherever it stands', () => {
    const elements = [light(1), { id: 2, element: 'group', children: [light(3), light(1)] }];
    expect(issuesOf(room({ elements }))).toEqual(['elements.1.children.1.id']);
  });

  test('parents follow the tree, not the data', () => {
    const child = light(2, { parent_element_id: 99 });
    const parsed = parseRoom(
      room({ elements: [{ id: 1, element: 'group', parent_element_id: 2, children: [child] }] }),
    );
    expect(parsed.elements[0]!.parent_element_id).toBeNull();
    expect(parsed.elements[1]!.parent_element_id).toBe(1);
  });

  test('32 levels of nesting are taken; the only fault is the id that this tree repeats', () => {
    expect(issuesOf(nested(32))).toHaveLength(32);
    expect(issuesOf(nested(32))).not.toContain('elements');
  });

  test.each([33, 1000, 100_000])('nesting of %i levels is refused in one sentence', (depth) => {
    expect(() => parseRoom(nested(depth))).toThrow(
      new DocumentError([{ path: ['elements'], message: 'Elements are nested deeper than 32.' }]),
    );
  });

  test('20,000 elements are the most', () => {
    const elements = Array.from({ length: 20_001 }, (_, index) => light(index + 1));
    expect(() => parseRoom(room({ elements }))).toThrow('A room can contain at most 20000 elements.');
  });
});

describe('windows of visibility', () => {
  const windowOf = (fields: object) => parseRoom(room({ elements: [light(1, fields)] })).elements[0]!.visible_between;
  const given = { from: 60, till: 120 };

  test.each([
    ['no times', {}, null],
    ['a window without times', { visible_between: given }, given],
    ['both times', { start_time: '09:30', end_time: '17:05' }, { from: 34_200, till: 61_500 }],
    ['a start only', { start_time: '09:30' }, { from: 34_200, till: 86_400 }],
    ['an end only', { end_time: '17:05' }, { from: 0, till: 61_500 }],
    ['times across midnight', { start_time: '23:00', end_time: '01:00' }, { from: 82_800, till: 3600 }],
    [
      'times, which win over a window',
      { start_time: '00:01', end_time: '00:02', visible_between: { from: 5, till: 6 } },
      given,
    ],
  ])('%s', (_, fields, expected) => {
    expect(windowOf(fields)).toEqual(expected);
  });
});

describe('reading twice', () => {
  test('security 49: 5,000 generated rooms survive parse, JSON and parse unchanged', () => {
    fc.assert(
      fc.property(arbitraryRoom(), (generated) => {
        expect(parseRoom(JSON.parse(JSON.stringify(nestedRoom(generated))))).toEqual(generated);
      }),
      { numRuns: 5000, seed: 49 },
    );
  });

  test('does not change its input', () => {
    fc.assert(
      fc.property(arbitraryRoom(), (generated) => {
        const file = nestedRoom(generated);
        const before = structuredClone(file);
        const parsed = parseRoom(file);
        expect(file).toEqual(before);
        for (const { id } of generated.elements)
          expect(findElement(parsed.elements, id)).not.toBe(findElement(generated.elements, id));
      }),
      { numRuns: 200, seed: 1 },
    );
  });
});

/** Paths of fields without a description; a union's members are told apart by their number. */
function undescribed(schema: z.ZodType, path: string, named: boolean): string[] {
  if (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional
  )
    return undescribed(schema.unwrap() as z.ZodType, path, named || Boolean(schema.description));
  const missing = named || schema.description ? [] : [path];
  if (schema instanceof z.ZodArray) return [...missing, ...undescribed(schema.element as z.ZodType, path, true)];
  // Elements hold elements: the lazy schema is the union that is being walked.
  if (schema instanceof z.ZodDiscriminatedUnion)
    return [
      ...missing,
      ...(schema.options as z.ZodType[]).flatMap((option, index) => undescribed(option, `${path}<${index}>`, true)),
    ];
  if (!(schema instanceof z.ZodObject)) return missing;
  return [
    ...missing,
    ...Object.entries(schema.shape).flatMap(([name, field]) =>
      undescribed(field as z.ZodType, `${path}.${name}`, false),
    ),
  ];
}

test('every field of a room, at every depth, has a sentence that says what it is', () => {
  expect(undescribed(z.object({ without: z.string() }), 'room', true)).toEqual(['room.without']);
  expect(undescribed(roomSchema, 'room', true)).toEqual([]);
});
