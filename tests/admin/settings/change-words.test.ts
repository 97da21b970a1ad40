import { describe, expect, test } from 'vitest';
import { changeSentence, fieldChanges } from '../../../src/admin/settings/history/change-words.ts';
import type { Change } from '../../../src/contract/entities.ts';

const change = (fields: Partial<Change>): Change => ({
  id: 1,
  at: '2026-01-01T00:00:00.000Z',
  user: { id: 1, name: 'Anna' },
  action: 'update',
  entity: 'room',
  entity_id: 2,
  room_id: 2,
  name: 'Gallery',
  before: null,
  after: null,
  is_restorable: false,
  has_room: false,
  ...fields,
});

describe('an entry of the history', () => {
  test.each([
    [{ before: { title: 'A' }, after: { title: 'B' } }, 'Anna changed the title of space “Gallery” from A to B'],
    [
      { before: { config: { camera: { fov: 50 } } }, after: { config: { camera: { fov: 60 } } } },
      'Anna changed the camera field of view of space “Gallery” from 50 to 60',
    ],
    [
      { entity: 'endpoint', before: { is_protected: false }, after: { is_protected: true } },
      'Anna changed the protection of structure “Gallery” from Public to Protected',
    ],
    [
      { before: { title: 'A', width: 1, height: 1, depth: 1 }, after: { title: 'B', width: 2, height: 2, depth: 2 } },
      'Anna changed the title, width and 2 more fields of space “Gallery”',
    ],
    [
      { before: { width: 1, depth: 1 }, after: { width: 2, depth: 2 } },
      'Anna changed the width and depth of space “Gallery”',
    ],
    [
      { before: { description: 'x'.repeat(90) }, after: { description: '' } },
      'Anna changed the start pop-up of space “Gallery”',
    ],
    [
      { before: { description: '<p>Old</p>' }, after: { description: '<p>New &amp; <b>bold</b></p>' } },
      'Anna changed the start pop-up of space “Gallery” from Old to New & bold',
    ],
    [{ after: { poster: 'hall.png' } }, 'Anna set the poster of space “Gallery” to hall.png'],
    [{ action: 'create', after: { title: 'Gallery' } }, 'Anna added space “Gallery”'],
    [{ action: 'delete', before: { title: 'Gallery' }, user: null }, 'The server removed space “Gallery”'],
    [{ after: { published: 3 } }, 'Anna published space “Gallery”'],
    [{ entity: 'api_key', action: 'delete', name: 'Script' }, 'Anna removed API key “Script”'],
    [
      { entity: 'organization', before: { meta_title: 'A' }, after: { meta_title: 'B' } },
      'Anna changed the meta title of the settings from A to B',
    ],
  ] as const satisfies [Partial<Change>, string][])('%j reads as a sentence', (fields, sentence) => {
    expect(changeSentence(change(fields as Partial<Change>))).toBe(sentence);
  });

  test('names no column and shows no JSON in its details', () => {
    const fields = fieldChanges(
      change({
        entity: 'user',
        before: { policies: { rooms: { view_any: false } }, is_active: true },
        after: { policies: { rooms: { view_any: true } }, is_active: false },
      }),
    );
    expect(fields).toEqual([
      { field: 'rights', before: 'rooms: view any: no', after: 'rooms: view any: yes' },
      { field: 'sign-in access', before: 'yes', after: 'no' },
    ]);
  });
});
