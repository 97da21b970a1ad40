import { type Material, type Object3D, Texture } from 'three';

type Drawn = Object3D & {
  geometry?: { dispose(): void };
  material?: Material | Material[];
  skeleton?: { dispose(): void };
};

/** Disposes GPU resources of an object and its descendants: geometries, materials, textures, skeletons. */
export function freeObject(object: Object3D): void {
  object.traverse((node) => {
    const { geometry, material, skeleton } = node as Drawn;
    geometry?.dispose();
    skeleton?.dispose();
    for (const each of material === undefined ? [] : [material].flat()) {
      for (const value of Object.values(each)) if (value instanceof Texture) value.dispose();
      each.dispose();
    }
  });
}
