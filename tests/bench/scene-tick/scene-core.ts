import { type Element, flatElementSchema } from '../../../engine/document/element.ts';
import { parseRoom, type Room } from '../../../engine/document/room.ts';
import { createScene } from '../../../engine/scene/scene.ts';
import { ALWAYS, CAMERA_Y, type Contestant, cameraX, cameraZ, timeAt, type Work } from './work.ts';

/** A room document for the work. It exceeds the schema's limit on elements. */
function roomOf(work: Work): Room {
  const group = flatElementSchema.parse({ id: 1, element: 'group' });
  const audio = flatElementSchema.parse({ id: 1, element: 'audio' });
  const room = parseRoom({ id: 1, title: 'Bench' });
  const elements: Element[] = [];
  for (let i = 0; i < work.count; i++) {
    const model = work.parent[i]! < 0 ? group : audio;
    const element = {
      ...model,
      id: i + 1,
      parent_element_id: work.parent[i]! < 0 ? null : work.parent[i]! + 1,
      position_x: work.x[i],
      position_y: work.y[i],
      position_z: work.z[i],
      rotation_y: work.turn[i],
      scale_x: work.scale[i],
      scale_y: work.scale[i],
      scale_z: work.scale[i],
      visible_between: work.till[i] === ALWAYS ? null : { from: work.from[i], till: work.till[i] },
      config: {
        ...model.config,
        proximity_sensor: true,
        proximity_sensor_audio_only: true,
        proximity_sensor_distance: work.outer[i],
      },
    } as Element;
    elements.push(element);
  }
  const below = Map.groupBy(elements, ({ parent_element_id }) => parent_element_id);
  const branch = (element: Element): Element[] => [element, ...(below.get(element.id) ?? []).flatMap(branch)];
  room.elements = (below.get(null) ?? []).flatMap(branch);
  return room;
}

/** The product: plays a room document through the public interface of a scene. */
export function create(work: Work): Contestant {
  const scene = createScene(roomOf(work));
  const entities = Uint32Array.from({ length: work.count }, (_, i) => scene.entityOf(i + 1)!);
  const movers = Uint32Array.from(entities.keys()).filter((i) => work.speed[i] !== 0);
  const { x, y, z, speed } = work;
  const camera = {
    position: { x: 0, y: CAMERA_Y, z: 0 },
    quaternion: { x: 0, y: 0, z: 0, w: 1 },
    fov: 50,
    aspect: 16 / 9,
    near: 0.1,
    far: 6000,
  };
  const input = { time: 0, camera };
  return {
    tick(tick) {
      for (let at = 0; at < movers.length; at++) {
        const i = movers[at]!;
        x[i]! += speed[i]!;
        scene.setPosition(entities[i]!, x[i]!, y[i]!, z[i]!);
      }
      input.time = timeAt(tick);
      camera.position.x = cameraX(tick);
      camera.position.z = cameraZ(tick);
      scene.tick(input);
    },
    checksum() {
      let sum = 0;
      const matrix: number[] = [];
      for (const entity of entities) {
        scene.worldMatrix(entity, matrix);
        sum += scene.volume(entity) + Number(scene.isVisible(entity)) + matrix[12]! * 1e-3 + matrix[5]!;
      }
      return sum;
    },
  };
}
