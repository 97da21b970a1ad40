import { Document, NodeIO } from '@gltf-transform/core';
import sharp from 'sharp';

/** A model of one bumpy ball. @param rings of its triangles, from pole to pole */
export async function ballOf(rings: number): Promise<Document> {
  const document = new Document();
  const buffer = document.createBuffer();
  const around = rings * 2;
  const points: number[] = [];
  const coordinates: number[] = [];
  for (let ring = 0; ring <= rings; ring++)
    for (let at = 0; at <= around; at++) {
      const [polar, turn] = [(Math.PI * ring) / rings, (2 * Math.PI * (at % around)) / around];
      const radius = 50 + Math.sin(polar * 6) * Math.sin(turn * 6);
      const flat = Math.sin(polar) * radius;
      points.push(flat * Math.cos(turn), Math.cos(polar) * radius, flat * Math.sin(turn));
      coordinates.push(at / around, ring / rings);
    }
  const faces: number[] = [];
  for (let ring = 0; ring < rings; ring++)
    for (let at = 0; at < around; at++) {
      const corner = ring * (around + 1) + at;
      faces.push(corner, corner + 1, corner + around + 1, corner + 1, corner + around + 2, corner + around + 1);
    }
  const accessor = (type: 'SCALAR' | 'VEC2' | 'VEC3', array: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>) =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const image = await sharp({ create: { width: 1024, height: 1024, channels: 3, background: '#2A7' } })
    .png()
    .toBuffer();
  const texture = document.createTexture('paint').setImage(image).setMimeType('image/png');
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', new Float32Array(points)))
    .setAttribute('TEXCOORD_0', accessor('VEC2', new Float32Array(coordinates)))
    .setIndices(accessor('SCALAR', new Uint32Array(faces)))
    .setMaterial(document.createMaterial('paint').setBaseColorTexture(texture));
  const node = document.createNode('ball').setMesh(document.createMesh().addPrimitive(primitive));
  document.createScene().addChild(node);
  return document;
}

/** A GLB file of 45,000 triangles, which has levels of detail. */
export const denseModel = async (): Promise<Buffer> => Buffer.from(await new NodeIO().writeBinary(await ballOf(106)));
