import { existsSync } from 'node:fs';
import { Object3D } from 'three';
import { afterEach, describe, expect, test } from 'vitest';
import { roomBudget } from '../../../engine/document/budget.ts';
import { descriptors, ELEMENT_TYPES, type Element, type ElementType } from '../../../engine/document/element.ts';
import { TRAITS } from '../../../engine/document/element-traits.ts';
import type { ElementDescriptor } from '../../../engine/document/element-type.ts';
import type { Placed } from '../../../engine/document/lint/finding.ts';
import { missingFile } from '../../../engine/document/lint/media-rules.ts';
import { parseRoom, type Room } from '../../../engine/document/room.ts';
import { nest } from '../../../engine/document/tree.ts';
import { isSlide, slideContentOf } from '../../../engine/scene/events/slider.ts';
import { createScene } from '../../../engine/scene/scene.ts';
import type { ElementViews } from '../../../engine/stage/element-views.ts';
import { needsButton, targetsIn } from '../../../engine/stage/interaction/interactive.ts';
import { elementsHtml } from '../../../src/server/pages/text-twin/twin-elements.ts';
import { twinTexts } from '../../../src/server/pages/text-twin/twin-texts.ts';
import { PLAIN_POSE } from '../../harness/scene-player.ts';

/** Folders that hold a file of its own for each type. */
const FILES: Readonly<Record<string, (name: string) => string>> = {
  schema: (name) => `engine/document/elements/${name}.ts`,
  drawing: (name) => `engine/stage/elements/${name}.ts`,
  form: (name) => `src/editor/elements/forms/${name}.tsx`,
  fixture: (name) => `fixtures/rooms/type-${name}.json`,
};

const missingFiles = (type: string): string[] =>
  Object.keys(FILES).filter((part) => !existsSync(FILES[part]!(type.replaceAll('_', '-'))));

const FILE = { id: 7, name: 'sign.jpg', type: 'image', url: '/media/sign.jpg', width: 400, height: 300 };

/** A room with one element of a type, which is an image but for its name. */
function roomWith(type: string, { z = 0, file = true } = {}): { room: Room; element: Element } {
  const room = parseRoom({
    id: 1,
    title: 'Signs',
    elements: [
      {
        id: 1,
        element: 'image',
        name: 'Welcome',
        position_z: z,
        file: file ? FILE : null,
        file_id: file ? FILE.id : null,
        config: {
          file_url: file ? FILE.url : '',
          navigation: { type: 'url', type_config: { url: 'https://example.org' } },
        },
      },
    ],
  });
  const element = room.elements[0]!;
  element.element = type as 'image';
  return { room, element };
}

/** Whether something heavy of it waits until a visitor is near. */
function isStreamed(type: string): boolean {
  const scene = createScene(roomWith(type, { z: -50_000 }).room);
  scene.tick({ time: 0, camera: PLAIN_POSE });
  return !scene.isNear(scene.entityOf(1)!);
}

function isLinted(type: string): boolean {
  const { room, element } = roomWith(type, { file: false });
  const found: string[] = [];
  const placed: Placed[] = [{ element, path: 'elements[0]', ancestors: [], childCount: 0 } as unknown as Placed];
  missingFile({ room, placed } as unknown as Parameters<typeof missingFile>[0], (code) => found.push(code));
  return found.length > 0;
}

function blocks(type: string): boolean {
  const { room, element } = roomWith(type);
  const object = new Object3D();
  const views = { objects: (accept: (one: Element) => boolean) => (accept(element) ? [object] : []) };
  const targets = targetsIn(
    views as unknown as ElementViews,
    { scene: createScene(room) } as Parameters<typeof targetsIn>[1],
  );
  return targets.occluders().length > 0;
}

function isPressed(type: string): boolean {
  const { room, element } = roomWith(type);
  return needsButton(createScene(room), element);
}

function isTold(type: string): boolean {
  const { element } = roomWith(type);
  const place = {
    language: 'en' as const,
    texts: twinTexts('en'),
    path: '/signs',
    query: '',
    marksOf: () => '',
    now: 0,
    sections: new Set<number>(),
    itemsOf: () => '',
    hasThirdParties: true,
  };
  return elementsHtml(nest([element]), place) !== '';
}

function isShownOnSlides(type: string): boolean {
  const { element } = roomWith(type);
  return isSlide(element) && slideContentOf(element) !== undefined;
}

/** What takes its part in a room from the descriptor of an element's type. */
const PARTS: Readonly<Record<string, (type: string) => boolean>> = {
  budget: (type) =>
    roomBudget(
      roomWith(type).room,
      new Map([[7, { bytes: 1000, width: 400, height: 300, details: {} }]]),
    ).elements.some(({ id }) => id === 1),
  lint: isLinted,
  streaming: isStreamed,
  picking: blocks,
  interaction: isPressed,
  text: isTold,
  slide: isShownOnSlides,
  'dropped file': (type) => descriptors[type as ElementType].madeOf !== undefined,
};

const silentParts = (type: string): string[] => Object.keys(PARTS).filter((part) => !PARTS[part]!(type));

function addType(type: string, descriptor: ElementDescriptor): void {
  Object.assign(descriptors, { [type]: descriptor });
  Object.assign(TRAITS, { [type]: descriptor.traits });
}

afterEach(() => {
  for (const table of [descriptors, TRAITS] as Record<string, unknown>[]) delete table.hologram;
});

describe('a type that is made up', () => {
  test('takes part in everything by its descriptor alone', () => {
    addType('hologram', {
      label: 'Hologram',
      description: 'A picture with a light of its own.',
      traits: { hit: 'body', load: 'panel', navigation: true, sources: ['file_url', 'file'], reads: 'picture' },
      files: ['image'],
      madeOf: 'hologram',
      source: { settings: ['file_url'], advice: 'Choose a file.' },
      cost: (_, sheet) => sheet.picture(),
    });
    expect(silentParts('hologram')).toEqual([]);
  });

  test('that says nothing of itself is silent in parts that are named', () => {
    addType('hologram', { label: 'Hologram', description: 'Nothing.', traits: { hit: 'through' } });
    expect(silentParts('hologram')).toEqual(Object.keys(PARTS));
  });

  test('lacks files that are named', () => {
    expect(missingFiles('hologram')).toEqual(Object.keys(FILES));
  });
});

test.each(ELEMENT_TYPES)('%s has all its files', (type) => {
  expect(missingFiles(type)).toEqual([]);
});

/** A type that shows a file and says of itself what images say is silent nowhere; others leave out what they have not. */
test('an image is silent nowhere but where it is light', () => {
  expect(silentParts('image')).toEqual(['streaming']);
});
