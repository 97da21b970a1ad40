import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectModel } from '../../../../../src/server/core/files/inspect/model.ts';
import { inspectText } from '../../../../../src/server/core/files/inspect/texts.ts';
import { refused } from '../../../../harness/api-app.ts';

const dataOf = (bytes: Uint8Array) => `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;

/** A model of one triangle. */
const triangle = () => ({
  asset: { version: '2.0' },
  scene: 0,
  scenes: [{ nodes: [0] }],
  nodes: [{ mesh: 0 }] as object[],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
  buffers: [{ byteLength: 72, uri: dataOf(new Uint8Array(new Float32Array(18).fill(1).buffer)) }],
  bufferViews: [
    { buffer: 0, byteLength: 36 },
    { buffer: 0, byteOffset: 36, byteLength: 36 },
  ],
  accessors: [0, 1].map((bufferView) => {
    const corner = [1, 1, 1];
    return { bufferView, componentType: 5126, count: 3, type: 'VEC3', min: corner, max: corner };
  }),
});

/** The head of a KTX2 texture of 64 by 32 pixels. */
function texture(): Buffer {
  const head = Buffer.alloc(80);
  Buffer.from('ab4b5458203230bb0d0a1a0a', 'hex').copy(head);
  head.writeUInt32LE(64, 20);
  head.writeUInt32LE(32, 24);
  return head;
}

describe('what is read of a model', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enfilade-models-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const read = async (model: object | Buffer, name = 'model.gltf') => {
    const file = join(folder, name);
    await writeFile(file, Buffer.isBuffer(model) ? model : JSON.stringify(model));
    return inspectModel({ file, folder, alone: true });
  };

  it('counts the triangles of every instance', async () => {
    const instanced = { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 1 } } };
    const model = {
      ...triangle(),
      nodes: [{ mesh: 0, extensions: instanced }],
      extensionsUsed: Object.keys(instanced),
    };
    expect((await read(triangle())).details).toMatchObject({ triangles: 1 });
    expect((await read(model)).details).toMatchObject({ triangles: 3 });
  });

  it('counts the pixels of KTX2 textures, and warns of those that are none', async () => {
    const packed = (bytes: Uint8Array) => ({
      ...triangle(),
      extensionsUsed: ['KHR_texture_basisu'],
      textures: [{ extensions: { KHR_texture_basisu: { source: 0 } } }],
      images: [{ uri: `data:image/ktx2;base64,${Buffer.from(bytes).toString('base64')}` }],
    });
    expect((await read(packed(texture()))).details).toMatchObject({ texture_pixels: 2048 });
    const missing = (await read(packed(new Uint8Array(90)))).details;
    expect(missing).toMatchObject({
      texture_pixels: 0,
      warnings: expect.arrayContaining(["KTX2 textures that can't be read: 1. They aren't shown or counted."]),
    });
  });

  it('calls glTF 1.0 by its name, as text and as binary', async () => {
    const said = { msg: { file: ['glTF 1.0 is not supported. Export it as glTF 2.0.'] } };
    expect(await refused(read({ asset: { version: '1.0' } }))).toMatchObject(said);
    const head = Buffer.alloc(22);
    head.write('glTF');
    for (const [at, value] of [
      [4, 1],
      [8, 22],
      [12, 2],
    ] as const)
      head.writeUInt32LE(value, at);
    head.write('{}', 20);
    expect(await refused(read(head, 'model.glb'))).toMatchObject(said);
  });

  it('answers a page that is named like a picture with the kinds that are taken', async () => {
    const path = join(folder, 'page.png');
    await writeFile(path, '<!DOCTYPE html><p>Hi</p>');
    const { msg } = await refused(inspectText({ path, name: 'page.png' }));
    expect(msg.file![0]).toMatch(/^This is an HTML page\. Supported: images \(JPEG, PNG, .*zipped sites/);
  });
});
