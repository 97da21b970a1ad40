import { Vector3 } from 'three';
import type { StagedRoom } from '../staged-room.ts';

/** The part of a room that is left. */
type LeftRoom = Pick<StagedRoom, 'camera' | 'draw' | 'panels' | 'pressed' | 'views'>;

/** Where on the screen the visitor pressed a door, as a CSS origin; the center if it can't be seen. */
function doorOn({ views, pressed, camera }: LeftRoom): string {
  const door = pressed === undefined ? undefined : views.viewOf(pressed)?.object;
  const at = door ? new Vector3().setFromMatrixPosition(door.matrixWorld).project(camera) : undefined;
  if (!at || at.z > 1 || Math.abs(at.x) > 1 || Math.abs(at.y) > 1) return '50% 50%';
  return `${50 + at.x * 50}% ${50 - at.y * 50}%`;
}

/**
 * Keeps the image of a room over the next one while it fades out.
 * @param zooms whether the image moves towards the door
 */
export function leaveRoom(container: HTMLElement, room: LeftRoom, zooms: boolean): void {
  const { renderer } = room.views.context;
  const { width, height } = renderer.domElement;
  const image = Object.assign(document.createElement('canvas'), { width, height });
  // The canvas keeps its content only until the browser presents it.
  room.draw();
  image.getContext('2d')?.drawImage(renderer.domElement, 0, 0);
  image.ariaHidden = 'true';
  container.append(image);
  const origin = doorOn(room);
  for (const part of [image, room.panels]) {
    if (!part) continue;
    part.inert = true;
    part.classList.add('stage-leaving');
    part.classList.toggle('zooms', zooms);
    part.style.transformOrigin = origin;
  }
  image.addEventListener('animationend', () => image.remove());
}
