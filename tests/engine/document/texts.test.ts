import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { applyCommands } from '../../../engine/document/commands.ts';
import { flatElementSchema } from '../../../engine/document/element.ts';
import { parseRoom, roomFieldsSchema } from '../../../engine/document/room.ts';
import { findTexts, kindOfText, replaceTexts, type TextQuery } from '../../../engine/document/texts.ts';

const query = (text: string, others: Partial<TextQuery> = {}): TextQuery => ({
  text,
  matchCase: false,
  wholeWords: false,
  ...others,
});

const room = parseRoom({
  id: 1,
  title: 'Rembrandt & co.',
  description: '<p>A room about rembrandt.</p>',
  elements: [
    {
      id: 1,
      element: 'image',
      name: 'Portrait',
      config: { title: 'Rembrandt', author: 'Rembrandt van Rijn', text: 'a.b' },
    },
    {
      id: 2,
      element: 'rich_text',
      config: { body: '<p title="Rembrandt">Rembrandt&nbsp;van Rijn, R&amp;D <b>Rembrandtplein</b></p>' },
    },
    {
      id: 3,
      element: 'html',
      config: {
        body: '',
        navigation: { type: 'modal_content', type_config: { title: 'Rembrandt', content: '<i>Rembrandt</i>' } },
      },
    },
    {
      id: 4,
      element: 'button',
      config: { title: 'a*b', navigation: { type: 'event', type_config: { name: 'rembrandt' } } },
    },
  ],
});

const changedBy = (text: string, replacement: string, others: Partial<TextQuery> = {}) => {
  const { commands, count, refused } = replaceTexts(room, query(text, others), replacement);
  return { count, refused, room: applyCommands(room, commands).room };
};
const settings = (changed: typeof room, id: number) =>
  changed.elements.find((element) => element.id === id)!.config as Record<string, unknown>;

describe('find and replace', () => {
  test('finds every text that people read, not attributes and names of events', () => {
    const found = findTexts(room, query('rembrandt'));
    expect(found.map(({ id, path, count }) => [id, path, count])).toEqual([
      [null, 'title', 1],
      [null, 'description', 1],
      [1, 'config.title', 1],
      [1, 'config.author', 1],
      [2, 'config.body', 2],
      [3, 'config.navigation.type_config.content', 1],
      [3, 'config.navigation.type_config.title', 1],
    ]);
    expect(found[1]).toMatchObject({ before: 'A room about ', match: 'rembrandt', after: '.' });
  });

  test('replaces them, and keeps tags', () => {
    const changed = changedBy('Rembrandt', 'R. <van Rijn> $&');
    expect(changed.count).toBe(8);
    expect(changed.room.title).toBe('R. <van Rijn> $& & co.');
    expect(settings(changed.room, 1).title).toBe('R. <van Rijn> $&');
    expect(settings(changed.room, 2).body).toBe(
      '<p title="Rembrandt">R. &lt;van Rijn&gt; $&amp;&nbsp;van Rijn, R&amp;D <b>R. &lt;van Rijn&gt; $&amp;plein</b></p>',
    );
    expect(settings(changed.room, 4)).toEqual(settings(room, 4));
  });

  test('matches case, whole words, entities and signs of patterns literally', () => {
    expect(changedBy('rembrandt', 'X', { matchCase: true }).count).toBe(1);
    expect(changedBy('Rembrandt', 'X', { wholeWords: true }).count).toBe(7);
    expect(settings(changedBy('Rembrandt van Rijn', 'X').room, 2).body).toContain('>X, R&amp;D');
    expect(settings(changedBy('R&D', 'X').room, 2).body).toContain('van Rijn, X ');
    expect(changedBy('a*b', 'X').count).toBe(1);
    expect(changedBy('a.b', 'X').count).toBe(1);
    expect(changedBy('(a+)+$', 'X').count).toBe(0);
  });

  test('leaves entities alone', () => {
    const body = '<p>Tom &amp; Jerry &lt; p&nbsp;a</p>';
    const html = parseRoom({ id: 1, title: 'A', elements: [{ id: 1, element: 'html', config: { body } }] });
    const bodyAfter = (text: string, replacement: string, more: Partial<TextQuery> = {}) =>
      settings(applyCommands(html, replaceTexts(html, query(text, more), replacement).commands).room, 1).body;
    expect(bodyAfter('lt', 'left', { wholeWords: true })).toBe(body);
    expect(bodyAfter('p', 'x')).toBe('<p>Tom &amp; Jerry &lt; x&nbsp;a</p>');
    expect(bodyAfter('p; J', 'x')).toBe(body);
    expect(bodyAfter('& j', 'and J')).toBe('<p>Tom and Jerry &lt; p&nbsp;a</p>');
    expect(findTexts(html, query('Jerry')).at(-1)).toMatchObject({ count: 1, before: 'Tom & ', after: ' < p\u00A0a' });
  });

  test('replaces in one text only', () => {
    const { commands } = replaceTexts(room, query('Rembrandt'), 'X', { id: 1, path: 'config.author' });
    expect(commands).toEqual([{ type: 'element.update', id: 1, fields: { config: { author: 'X van Rijn' } } }]);
  });

  test('refuses texts that become too long, and changes the others', () => {
    const changed = changedBy('Rembrandt', 'x'.repeat(300));
    expect(changed.refused).toMatchObject([
      { id: null, path: 'title', message: 'Use at most 255 characters.' },
      { id: 1, path: 'config.title' },
      { id: 3, path: 'config.navigation.type_config.title' },
    ]);
    expect(settings(changed.room, 1)).toEqual(settings(room, 1));
    expect(settings(changed.room, 2).body).toContain('xxx');
  });

  test('finds nothing for nothing, or more than a text can be', () => {
    expect(findTexts(room, query(' '))).toEqual([]);
    expect(findTexts(room, query('Rembrandt'.padEnd(100_000)))).toEqual([]);
  });
});

/** Strings that nobody reads as text: addresses, times, colors, ids and names of things. */
const NO_TEXTS = new Set(
  `index start_time end_time time_zone url mime src file_url link language languages default_text_track id model_mesh_selector
  model_file_url realtime_file_url audio_description direct_url thumb thumb_large node color title_color frame_color mat_color background_color slug_one slug_two endpoint_url type`.split(
    /\s+/,
  ),
);

/** Paths of all strings in a schema. */
function stringsIn(schema: z.ZodType, path: readonly string[] = []): string[] {
  const { def } = schema as unknown as { def: Record<string, z.ZodType | z.ZodType[]> };
  const inner = (def.innerType ?? def.element ?? def.out) as z.ZodType | undefined;
  if (inner) return stringsIn(inner, path);
  if (def.options) return (def.options as z.ZodType[]).flatMap((option) => stringsIn(option, path));
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, field]) => stringsIn(field as z.ZodType, [...path, name]));
  return schema instanceof z.ZodString ? [path.join('.')] : [];
}

test('every string of the document is a text, or known not to be one', () => {
  const strings = new Set([flatElementSchema, roomFieldsSchema].flatMap((schema) => stringsIn(schema)));
  const unknown = [...strings].filter((path) => {
    const names = path.split('.');
    const isNoText = names[0] === 'file' || path.endsWith('.type_config.name') || NO_TEXTS.has(names.at(-1)!);
    return !isNoText && kindOfText(names) === undefined;
  });
  expect(unknown).toEqual([]);
});
