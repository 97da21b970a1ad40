import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import {
  createChunkDataPool,
  MemoryReadFileSystem,
  materializeToDataTable,
  readFile as readSplats,
} from '@playcanvas/splat-transform';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiApp, databases } from '../../../harness/api-app.ts';
import { makeBlock, makePly, makeSplats } from '../../../harness/splats.ts';

const BLOCK = makeBlock(10);
const PLY = makePly(BLOCK);

/** An SPZ header that claims a number of points. */
function spzOf(points: number): Buffer {
  const head = Buffer.alloc(16);
  head.writeUInt32LE(0x5053474e, 0);
  head.writeUInt32LE(3, 4);
  head.writeUInt32LE(points, 8);
  head.writeUInt8(12, 13);
  return gzipSync(head);
}

const ascii = (header: string) => Buffer.from(`ply\nformat ascii 1.0\n${header}end_header\n0 0 0\n`);

type Json = Record<'nodes' | 'accessors' | 'bufferViews' | 'scenes', Record<string, unknown>[]>;

/** A GLB with a changed document. */
function withJson(glb: Buffer, change: (json: Json) => void): Buffer {
  const length = glb.readUInt32LE(12);
  const json = JSON.parse(glb.toString('utf8', 20, 20 + length));
  change(json);
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, ' ')]);
  const head = Buffer.from(glb.subarray(0, 20));
  head.writeUInt32LE(glb.length - length + padded.length, 8);
  head.writeUInt32LE(padded.length, 12);
  return Buffer.concat([head, padded, glb.subarray(20 + length)]);
}

/** Splats that lie at the side of a turned parent. */
const turned = (json: Json) => {
  json.nodes.push({ children: [0], rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2], scale: [2, 2, 2] });
  json.scenes[0]!.nodes = [1];
};

describe.each(databases)('Gaussian splats on %s', (kind) => {
  let api: ApiApp;
  beforeAll(async () => {
    api = await ApiApp.start(kind);
  });
  afterAll(() => api.close());

  const upload = (content: Buffer, name: string) =>
    api.client().media.upload({ body: {}, files: { file: new File([new Uint8Array(content)], name) } });

  test.each(['ply', 'compressed-ply', 'spz', 'sog-bundle', 'glb'] as const)(
    'from %s are models, stored as SPZ; their original is kept',
    async (format) => {
      const content = format === 'ply' ? PLY : await makeSplats(PLY, format);
      const file = await upload(content, `block.${format}`);
      expect(file).toMatchObject({ type: 'object', mime: 'model/vnd.spz', splats: BLOCK.length });
      expect(file.url).toMatch(/\.spz$/);
      expect(file.original?.bytes).toBe(content.length);
      const room = await api.client().rooms.create({ body: { title: 'Hall' } });
      const body = { element: 'model' as const, file_id: file.id, config: { crop_max: { x: 0.5 } } };
      const element = await api.client().rooms.addElement({ params: { id: room.id }, body });
      expect(element).toMatchObject({ file: { splats: BLOCK.length }, config: { crop_max: { x: 0.5, y: 1, z: 1 } } });
    },
  );

  test('get no lighter version, also in place of a model that gets one', async () => {
    const client = api.client();
    const block = await upload(PLY, 'heavy.ply');
    expect(block.optimized).toBeNull();
    expect(await client.media.optimize({ body: { ids: [block.id] } })).toEqual({ planned: 0 });
    const model = await upload(await readFile('fixtures/media/orrery.glb'), 'orrery.glb');
    expect(model.optimized?.state).toBe('waiting');
    const file = new File([new Uint8Array(PLY)], 'block.ply');
    const replaced = await client.media.replace({ params: { id: model.id }, body: {}, files: { file } });
    expect(replaced).toMatchObject({ splats: BLOCK.length, optimized: null });
    expect(await client.media.optimize({ body: { ids: [model.id] } })).toEqual({ planned: 0 });
  });

  test('are refused where meshes are needed', async () => {
    const { rooms } = api.client();
    const { id: file_id } = await upload(PLY, 'visitor.ply');
    const room = await rooms.create({ body: { title: 'Meshes' } });
    const msg = ["Gaussian splats can't be used here. Choose a GLTF or GLB model."];
    const marked = rooms.create({ body: { title: 'Visitors', config: { realtime_file_id: file_id } } });
    await expect(marked).rejects.toMatchObject({ code: 'invalid', msg: { 'config.realtime_file_id': msg } });
    const figure = rooms.addElement({ params: { id: room.id }, body: { element: 'motion', file_id } });
    await expect(figure).rejects.toMatchObject({ code: 'invalid', msg: { file_id: msg } });
  });

  test('that are not numbers are left out, with a message', async () => {
    const splats = [...BLOCK, { at: [Number.NaN, 0, 0], color: [1, 1, 1] } as const];
    const file = await upload(makePly(splats), 'block.ply');
    expect(file).toMatchObject({
      splats: BLOCK.length,
      details: { warnings: ['Invalid splats that were removed: 1.'] },
    });
  });

  test.each([
    ['a PLY file with 10⁹ points in its header', makePly(BLOCK, 0.02, 1e9), 'block.ply'],
    ['a PLY file that ends early', PLY.subarray(0, PLY.length / 2), 'block.ply'],
    ['a point cloud', ascii('element vertex 1\nproperty float x\nproperty float y\nproperty float z\n'), 'cloud.ply'],
    ['an SPZ file with 10⁹ points in its header', spzOf(1e9), 'block.spz'],
    ['an SPZ file without its points', spzOf(1000), 'block.spz'],
    ['an SPZ file that ends early', gzipSync(Buffer.from('NGSP')), 'block.spz'],
    ['another compressed file', gzipSync(Buffer.alloc(1000)), 'notes.gz'],
    ['a compressed bomb', gzipSync(Buffer.alloc(300_000_000)), 'bomb.spz'],
  ])('%s is refused', async (_, content, name) => {
    await expect(upload(content, name)).rejects.toMatchObject({ code: 'bad_file' });
  });

  test('glTF keeps the transforms of its nodes, and refuses uneven scales and endless accessors', async () => {
    const glb = await makeSplats(makePly([{ at: [1, 0, 0], color: [1, 0, 0] }]), 'glb');
    const centerOf = async (content: Buffer) => {
      const { url } = await upload(content, 'block.glb');
      const served = await fetch(api.origin + url);
      const fileSystem = new MemoryReadFileSystem();
      fileSystem.set('a.spz', new Uint8Array(await served.arrayBuffer()));
      const [source] = await readSplats({ filename: 'a.spz', inputFormat: 'spz', fileSystem });
      const table = await materializeToDataTable(source!, createChunkDataPool());
      return ['x', 'y', 'z'].map((name) => table.getColumnByName(name)!.data[0]);
    };
    const [x, y] = await centerOf(glb);
    const [turnedX, turnedY] = await centerOf(withJson(glb, turned));
    expect(turnedX).toBeCloseTo(-2 * y!, 2);
    expect(turnedY).toBeCloseTo(2 * x!, 2);
    const uneven = withJson(glb, ({ nodes }) => Object.assign(nodes[0]!, { scale: [1, 3, 1] }));
    const endless = withJson(glb, ({ accessors, bufferViews }) => {
      for (const accessor of accessors) accessor.count = 1e9;
      for (const view of bufferViews) view.byteStride = 0;
    });
    for (const content of [uneven, endless])
      await expect(upload(content, 'block.glb')).rejects.toMatchObject({ code: 'bad_file' });
  });

  test('only splats that are not numbers are refused', async () => {
    const none = makePly([{ at: [Number.NaN, 0, 0], color: [1, 1, 1] }]);
    await expect(upload(none, 'none.ply')).rejects.toMatchObject({
      msg: { file: [expect.stringMatching(/no valid/)] },
    });
  });
});
