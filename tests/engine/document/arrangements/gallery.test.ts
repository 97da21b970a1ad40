import { describe, expect, test } from 'vitest';
import { galleryCommands, galleryIds, planGallery } from '../../../../engine/document/arrangements/gallery.ts';
import { galleryModel } from '../../../../engine/document/arrangements/gallery-model.ts';
import { type NewWork, planHanging, workSizes } from '../../../../engine/document/arrangements/hang.ts';
import { wallsOf } from '../../../../engine/document/arrangements/walls.ts';
import { applyCommands } from '../../../../engine/document/commands.ts';
import { parseRoom } from '../../../../engine/document/room.ts';

const options = { layout: 'row', align: 'center', line: 484, gap: 94, sizing: 'real' } as const;
const works = (count: number): NewWork[] =>
  Array.from({ length: count }, (_, nth) => ({
    file: { id: nth + 1, name: `${nth}.jpg`, type: 'image', url: `/media/${nth}.jpg`, width: 80, height: 60 },
    title: `Work ${nth + 1}`,
    author: '',
    date: '',
    text: '',
    width: 80,
    height: 60,
  }));

describe('a gallery', () => {
  test('has as few rooms as hold all works, and each work hangs on a solid wall, facing its room', () => {
    const all = works(60);
    const gallery = planGallery(workSizes(all, options, null), 400, options);
    expect(gallery.isWhole).toBe(true);
    expect(gallery.rooms).toBeGreaterThan(1);
    expect(planGallery(workSizes(all, options, null), 400, options)).toEqual(gallery);
    const { width, height, depth } = gallery;
    const hanging = planHanging({ height, elements: [], template: null }, gallery.walls, all, options);
    expect(hanging.hung).not.toContain(null);
    for (const { center, turn, width: across } of gallery.walls)
      for (const along of [-0.49, 0, 0.49]) {
        const point = (out: number) => ({
          x: center.x + Math.cos(turn) * along * across + Math.sin(turn) * out,
          y: center.y,
          z: center.z - Math.sin(turn) * along * across + Math.cos(turn) * out,
        });
        // Outside of the space is solid, too.
        const isSolid = (at: { x: number; y: number; z: number }) =>
          Math.abs(at.x) > width / 2 ||
          Math.abs(at.z) > depth / 2 ||
          gallery.boxes.some(({ center: middle, size }) =>
            (['x', 'y', 'z'] as const).every((axis) => Math.abs(at[axis] - middle[axis]) < size[axis] / 2),
          );
        expect([isSolid(point(-5)), isSolid(point(5))]).toEqual([true, false]);
      }

    const ids = Array.from({ length: galleryIds(gallery, hanging) }, (_, nth) => nth + 1);
    const empty = parseRoom({ id: 1, title: 'Gallery', width, height, depth });
    const { room } = applyCommands(empty, galleryCommands(gallery, hanging, ids));
    expect(room.elements.filter(({ element }) => element === 'image')).toHaveLength(60);
    expect(room.elements.filter(({ element }) => element === 'view_point')).toHaveLength(gallery.rooms);
    // Its walls can be hung on later.
    const later = wallsOf(room).filter(({ group }) => group !== null);
    expect(later.map(({ name, width: across }) => [name, across])).toEqual(
      gallery.walls.map((wall) => [wall.name, wall.width]),
    );
  });

  test('grows with its widest work, and says when works need more rooms than there can be', () => {
    const wide = planGallery([{ width: 4000, height: 300, below: 0 }], 400, options);
    expect([wide.rooms, wide.width]).toEqual([1, 4188]);
    const many = Array.from({ length: 1000 }, () => ({ width: 600, height: 300, below: 0 }));
    expect(planGallery(many, 400, options)).toMatchObject({ rooms: 20, isWhole: false });
  });

  test('is a binary glTF with as many triangles as its boxes have', () => {
    const { boxes } = planGallery([{ width: 100, height: 100, below: 0 }], 300, options);
    const bytes = galleryModel(boxes);
    const view = new DataView(bytes.buffer);
    expect([view.getUint32(0, true), view.getUint32(8, true)]).toEqual([0x46546c67, bytes.length]);
    const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + view.getUint32(12, true))));
    // One room: six planes, visible from both sides.
    expect([boxes.length, json.accessors[3].count]).toEqual([6, 6 * 12]);
    expect(json.accessors[0].max).toEqual([1094, 469, 1094]);
  });
});
