import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Document, getBounds, NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS, KHRLightsPunctual, KHRMaterialsVariants, KHRTextureBasisu } from '@gltf-transform/extensions';
import { MeshoptDecoder } from 'meshoptimizer';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Workers } from '../../../../../src/server/core/files/workers/workers.ts';
import { ballOf } from '../../../../harness/dense-model.ts';

const fixtures = join(import.meta.dirname, '../../../../../fixtures/media');

describe('lighter models', () => {
  let folder: string;
  const workers = new Workers();
  const io = new NodeIO()
    .registerExtensions(ALL_EXTENSIONS)
    .registerDependencies({ 'meshopt.decoder': MeshoptDecoder });
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enfilade-lighter-'));
  });
  afterAll(async () => {
    await workers.close();
    await rm(folder, { recursive: true, force: true });
  });

  const lighten = (source: string) => workers.run('lightenModel', { source, target: join(folder, 'out.glb') });
  const written = async (document: Document) => {
    const path = join(folder, 'in.glb');
    await writeFile(path, await io.writeBinary(document));
    return path;
  };

  /** Everything that a room, an author or an animation refers to by name. */
  function namesOf(document: Document) {
    const root = document.getRoot();
    return {
      nodes: root
        .listNodes()
        .map((node) => node.getName())
        .filter(Boolean)
        .sort(),
      clips: root.listAnimations().map((clip) => [
        clip.getName(),
        clip
          .listChannels()
          .map((channel) => `${channel.getTargetNode()?.getName()} ${channel.getTargetPath()}`)
          .sort(),
      ]),
      skins: root.listSkins().map((skin) => skin.listJoints().map((joint) => joint.getName())),
      targets: root.listMeshes().map((mesh) => [mesh.getExtras(), mesh.listPrimitives()[0]!.listTargets().length]),
      materials: root.listMaterials().map((material) => [material.getName(), material.getExtras()]),
      lights: root.listNodes().flatMap((node) => {
        const light = node.getExtension<ReturnType<KHRLightsPunctual['createLight']>>('KHR_lights_punctual');
        return light ? [[node.getName(), light.getType(), light.getIntensity()]] : [];
      }),
      variants: root
        .listMeshes()
        .flatMap((mesh) => mesh.listPrimitives())
        .flatMap((primitive) => {
          const list =
            primitive.getExtension<ReturnType<KHRMaterialsVariants['createMappingList']>>('KHR_materials_variants');
          return (list?.listMappings() ?? []).map((mapping) => [
            mapping.getMaterial()?.getName(),
            ...mapping.listVariants().map((variant) => variant.getName()),
          ]);
        }),
    };
  }

  /** Bounds of the wall, and of the person's skin in its first pose. */
  function boundsOf(document: Document): number[] {
    const nodes = document.getRoot().listNodes();
    const wall = getBounds(nodes.find((node) => node.getName() === 'wall')!);
    const person = nodes.find((node) => node.getSkin())!;
    const matrix = person.getSkin()!.getInverseBindMatrices()!.getElement(0, []);
    const positions = person.getMesh()!.listPrimitives()[0]!.getAttribute('POSITION')!;
    const sides = [0, 1, 2].map((axis) => {
      const values = Array.from({ length: positions.getCount() }, (_, index) => {
        const [x, y, z] = positions.getElement(index, [0, 0, 0]) as [number, number, number];
        return matrix[axis]! * x + matrix[axis + 4]! * y + matrix[axis + 8]! * z + matrix[axis + 12]!;
      });
      return [Math.min(...values), Math.max(...values)];
    });
    return [...wall.min, ...wall.max, ...sides.flat()];
  }

  async function everything(): Promise<Document> {
    const document = new Document();
    const buffer = document.createBuffer();
    const accessor = (
      type: 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4' | 'MAT4',
      array: Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>,
    ) => document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
    const size = 24;
    const points = new Float32Array(size * size * 3);
    const coordinates = new Float32Array(size * size * 2);
    for (let at = 0; at < size * size; at++) {
      const [x, y] = [at % size, Math.floor(at / size)];
      points.set([x * 0.37, Math.sin(x + y), y * 0.53], at * 3);
      coordinates.set([x / size, y / size], at * 2);
    }
    const faces = Array.from({ length: (size - 1) ** 2 }, (_, index) => {
      const at = Math.floor(index / (size - 1)) * size + (index % (size - 1));
      return [at, at + size, at + 1, at + 1, at + size, at + size + 1];
    }).flat();
    const noise = await sharp({
      create: {
        width: 256,
        height: 256,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    })
      .png()
      .toBuffer();
    const [red, blue] = ['red', 'blue'].map((name) => document.createMaterial(name).setExtras({ from: name }));
    red!.setBaseColorTexture(document.createTexture('color').setImage(noise).setMimeType('image/png'));
    blue!.setNormalTexture(document.createTexture('bumps').setImage(noise).setMimeType('image/png'));
    const joints = ['hip', 'knee'].map((name) => document.createNode(name));
    joints[0]!.addChild(joints[1]!);
    const influence = new Uint16Array(size * size * 4);
    const weights = new Float32Array(size * size * 4).map((_, at) => (at % 4 === 0 ? 1 : 0));
    const primitive = document
      .createPrimitive()
      .setAttribute('POSITION', accessor('VEC3', points))
      .setAttribute('TEXCOORD_0', accessor('VEC2', coordinates))
      .setAttribute('JOINTS_0', accessor('VEC4', influence))
      .setAttribute('WEIGHTS_0', accessor('VEC4', weights))
      .setIndices(accessor('SCALAR', new Uint16Array(faces)))
      .setMaterial(red!)
      .addTarget(
        document.createPrimitiveTarget('bulge').setAttribute(
          'POSITION',
          accessor(
            'VEC3',
            points.map((value) => value / 9),
          ),
        ),
      );
    const variants = document.createExtension(KHRMaterialsVariants);
    const mapping = variants.createMapping().setMaterial(blue!).addVariant(variants.createVariant('night'));
    primitive.setExtension('KHR_materials_variants', variants.createMappingList().addMapping(mapping));
    const mesh = document
      .createMesh('cloth')
      .addPrimitive(primitive)
      .setExtras({ targetNames: ['bulge'] });
    const identity = new Float32Array(32);
    for (const at of [0, 5, 10, 15, 16, 21, 26, 31]) identity[at] = 1;
    const skin = document.createSkin('body').setInverseBindMatrices(accessor('MAT4', identity));
    for (const joint of joints) skin.addJoint(joint);
    const person = document.createNode('person').setMesh(mesh).setSkin(skin);
    const light = document.createExtension(KHRLightsPunctual).createLight().setType('spot').setIntensity(7);
    const lamp = document.createNode('lamp').setExtension('KHR_lights_punctual', light);
    const empty = document.createNode('hook').setExtras({ part: 4 });
    const wall = document
      .createNode('wall')
      .setTranslation([3, 0, 0])
      .setMesh(document.createMesh('plane').addPrimitive(primitive.clone().setMaterial(blue!)));
    wall.addChild(empty);
    const scene = document.createScene('hall');
    for (const node of [person, joints[0]!, lamp, wall]) scene.addChild(node);
    for (const [name, node, path, type, values] of [
      ['walk', joints[1]!, 'translation', 'VEC3', [0, 0, 0, 0, 2, 0]],
      ['breathe', person, 'weights', 'SCALAR', [0, 1]],
      ['slide', wall, 'translation', 'VEC3', [3, 0, 0, 5, 0, 0]],
    ] as const) {
      const sampler = document
        .createAnimationSampler()
        .setInput(accessor('SCALAR', new Float32Array([0, 1])))
        .setOutput(accessor(type, new Float32Array(values)));
      const channel = document.createAnimationChannel().setTargetNode(node).setTargetPath(path).setSampler(sampler);
      document.createAnimation(name).addSampler(sampler).addChannel(channel);
    }
    return document;
  }

  test('nodes, clips, skins, morph targets, lights, variants and extras stay, and sizes too', async () => {
    const before = await everything();
    const source = await written(before);
    const names = namesOf(await io.read(source));
    const bounds = boundsOf(before);
    const found = await lighten(source);
    expect(found).toMatchObject({ bytes: expect.any(Number) });
    const after = await io.read(join(folder, 'out.glb'));
    expect(namesOf(after)).toEqual(names);
    for (const [at, value] of boundsOf(after).entries()) expect(value).toBeCloseTo(bounds[at]!, 2);
    const textures = after.getRoot().listTextures();
    expect(textures.map((texture) => texture.getMimeType())).toEqual(textures.map(() => 'image/ktx2'));
    if (!('bytes' in found)) return;
    expect(found.bytes).toBe((await stat(join(folder, 'out.glb'))).size);
    expect(found.gpuAfter / found.gpuBefore).toBeCloseTo(0.25, 2);
  });

  test('the demo models stay complete', async () => {
    for (const name of ['orrery.glb', 'terrace.glb']) {
      const source = join(fixtures, name);
      const before = await readFile(source);
      expect(await lighten(source)).toMatchObject({ bytes: expect.any(Number) });
      const [old, light] = [await io.read(source), await io.read(join(folder, 'out.glb'))];
      expect(namesOf(light)).toEqual(namesOf(old));
      const [then, now] = [old, light].map((document) => getBounds(document.getRoot().listScenes()[0]!));
      for (const side of ['min', 'max'] as const)
        for (const axis of [0, 1, 2]) expect(now![side][axis]).toBeCloseTo(then![side][axis]!, 2);
      expect(await readFile(source)).toEqual(before);
    }
  });

  describe('levels of detail', () => {
    const trianglesOf = (document: Document) =>
      document.getRoot().listMeshes()[0]!.listPrimitives()[0]!.getIndices()!.getCount() / 3;

    test('a large model gets two coarser ones with smaller textures, the same nodes and the same bounds', async () => {
      const found = await lighten(await written(await ballOf(150)));
      if (!('bytes' in found)) throw new Error(found.reason);
      const { triangles, reason } = found.levels;
      expect([triangles.length, triangles[0], reason]).toEqual([3, 90_000, '']);
      expect(triangles[1]! / triangles[0]!).toBeLessThan(0.26);
      expect(triangles[2]! / triangles[0]!).toBeLessThan(0.07);
      const files = await Promise.all(
        ['', '-1', '-2'].map((end) => io.readBinary(readFileSync(join(folder, `out.glb${end}`)))),
      );
      const whole = getBounds(files[0]!.getRoot().listScenes()[0]!);
      for (const [level, file] of files.entries()) {
        expect(trianglesOf(file)).toBe(triangles[level]);
        expect(
          file
            .getRoot()
            .listNodes()
            .map((node) => node.getName()),
        ).toEqual(['ball']);
        const { enfilade } = file.getRoot().getAsset().extras as { enfilade: Record<string, unknown> };
        expect(enfilade).toMatchObject({
          level,
          levels: [{ pixels: expect.any(Number) }, { pixels: expect.any(Number) }],
        });
        const [image] = file.getRoot().listTextures();
        expect(Math.max(...image!.getSize()!)).toBe([1024, 512, 256][level]);
        const { min, max } = getBounds(file.getRoot().listScenes()[0]!);
        for (const axis of [0, 1, 2]) {
          expect(Math.abs(min[axis]! - whole.min[axis]!)).toBeLessThan(1.5);
          expect(Math.abs(max[axis]! - whole.max[axis]!)).toBeLessThan(1.5);
        }
        const levels = enfilade.levels as { pixels: number }[];
        expect(levels[0]!.pixels).toBeGreaterThan(levels[1]!.pixels);
        expect(levels[0]!.pixels).toBeLessThanOrEqual(512);
        expect(levels[1]!.pixels).toBeGreaterThan(40);
      }
    }, 120_000);

    test('small, skinned and morphed models have none, and say why', async () => {
      const reasonOf = async (document: Document) => {
        const found = await lighten(await written(document));
        return 'levels' in found ? found.levels.reason : found.reason;
      };
      expect(await reasonOf(await ballOf(20))).toBe('It has fewer than 20,000 triangles.');
      const morphed = await ballOf(80);
      const primitive = morphed.getRoot().listMeshes()[0]!.listPrimitives()[0]!;
      primitive.addTarget(morphed.createPrimitiveTarget().setAttribute('POSITION', primitive.getAttribute('POSITION')));
      expect(await reasonOf(morphed)).toBe('It is animated with bones or morph targets.');
    }, 120_000);
  });

  test('a KTX2 texture that lies about its size or levels refuses the conversion', async () => {
    await lighten(join(fixtures, 'orrery.glb'));
    const light = await io.read(join(folder, 'out.glb'));
    const image = Buffer.from(light.getRoot().listTextures()[0]!.getImage()!);
    const lies: ((bytes: Buffer) => Buffer)[] = [
      (bytes) => bytes.fill(255, 20, 24),
      (bytes) => bytes.fill(255, 40, 44),
      (bytes) => bytes.fill(255, 80, 84),
      (bytes) => bytes.subarray(0, 90),
      (bytes) => bytes.fill(0, 0, 4),
    ];
    for (const lie of lies) {
      const document = new Document();
      document.createExtension(KHRTextureBasisu).setRequired(true);
      const texture = document
        .createTexture()
        .setMimeType('image/ktx2')
        .setImage(lie(Buffer.from(image)));
      const material = document.createMaterial().setBaseColorTexture(texture);
      const positions = document
        .createAccessor()
        .setType('VEC3')
        .setArray(new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]))
        .setBuffer(document.createBuffer());
      const primitive = document.createPrimitive().setAttribute('POSITION', positions).setMaterial(material);
      const node = document.createNode().setMesh(document.createMesh().addPrimitive(primitive));
      document.createScene().addChild(node);
      await expect(lighten(await written(document))).rejects.toMatchObject({
        code: 'bad_file',
        msg: { file: ['A KTX2 texture of the model is damaged.'] },
      });
    }
  });

  test('extensions that the conversion would lose keep the model as it is', async () => {
    const path = join(folder, 'unknown.gltf');
    const gltf = {
      asset: { version: '2.0' },
      extensionsUsed: ['KHR_animation_pointer'],
      scenes: [{ nodes: [0] }],
      nodes: [{}],
    };
    await writeFile(path, JSON.stringify(gltf));
    expect(await lighten(path)).toEqual({
      reason: 'The model uses the extension KHR_animation_pointer, which the conversion would remove.',
    });
    await writeFile(path, JSON.stringify({ ...gltf, extensionsUsed: ['KHR_draco_mesh_compression'] }));
    expect(await lighten(path)).toEqual({ reason: 'The model is compressed with Draco already.' });
  });
});
