import { createScene } from '../../../engine/scene/scene.ts';
import { CLIP, LENS, type MixedWork, mixedCameraX, mixedCameraZ, SHIFT, weigh } from './mixed-work.ts';
import { CAMERA_Y, type Contestant, timeAt } from './work.ts';

/** The product: plays the room document through the public interface of a scene. */
export function create({ room, count, x, y, z, animated, length }: MixedWork): Contestant {
  const scene = createScene(room);
  const entities = Uint32Array.from({ length: count }, (_, i) => scene.entityOf(i + 1)!);
  const models = Uint32Array.from(entities.keys()).filter((i) => animated[i]);
  const camera = { position: { x: 0, y: CAMERA_Y, z: 0 }, ...LENS };
  const input = { time: 0, camera };
  scene.tick({ time: 0, camera, input: [{ type: 'entered' }] });
  return {
    tick(tick) {
      // Models are queried and moved as a stage would do it.
      for (let at = 0; at < models.length; at++) {
        const i = models[at]!;
        const entity = entities[i]!;
        scene.setPosition(entity, x[i]! + scene.phase(entity, CLIP) * SHIFT, y[i]!, z[i]!);
      }
      input.time = timeAt(tick);
      camera.position.x = mixedCameraX(tick);
      camera.position.z = mixedCameraZ(tick);
      scene.tick(input);
    },
    checksum() {
      const matrix: number[] = [];
      let sum = 0;
      for (let i = 0; i < count; i++) {
        scene.worldMatrix(entities[i]!, matrix);
        const media = length[i]! > 0 ? scene.media(entities[i]!) : undefined;
        sum += weigh(scene.volume(entities[i]!), Number(scene.isVisible(entities[i]!)), matrix[12]!, media?.at ?? 0);
      }
      return sum;
    },
  };
}
