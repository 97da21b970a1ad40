import { Document, NodeIO } from '@gltf-transform/core';

/** A cube-shaped room as one model: a floor and four walls, visible from inside. */
export async function shellModel(): Promise<File> {
  const document = new Document();
  const buffer = document.createBuffer();
  const sides = [
    [-1, -1, 1, 1, -1, 1, 1, -1, -1, -1, -1, -1],
    [-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1],
    [1, -1, 1, -1, -1, 1, -1, 1, 1, 1, 1, 1],
    [-1, -1, 1, -1, -1, -1, -1, 1, -1, -1, 1, 1],
    [1, -1, -1, 1, -1, 1, 1, 1, 1, 1, 1, -1],
  ];
  const corners = document.createAccessor().setType('VEC3').setBuffer(buffer);
  corners.setArray(new Float32Array(sides.flat()));
  const faces = document.createAccessor().setType('SCALAR').setBuffer(buffer);
  faces.setArray(new Uint16Array(sides.flatMap((_, nth) => [0, 1, 2, 0, 2, 3].map((corner) => 4 * nth + corner))));
  const primitive = document.createPrimitive().setAttribute('POSITION', corners).setIndices(faces);
  document.createScene().addChild(document.createNode('Shell').setMesh(document.createMesh().addPrimitive(primitive)));
  return new File([new Uint8Array(await new NodeIO().writeBinary(document))], 'shell.glb');
}
