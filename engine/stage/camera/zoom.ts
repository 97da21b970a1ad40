import type { Room } from '../../document/room.ts';
import { isTyping } from '../interaction/typing.ts';
import { CAMERA_LIMITS } from './limits.ts';
import type { CameraRig } from './rig.ts';

/** Pixels of wheel that move by `dollySpeed` units. */
const WHEEL = 5;
/** Pixels of wheel that double or halve what is seen of a panorama. */
const DOUBLE = 600;
/** Pixels of wheel that a line of it stands for. */
const LINE = 30;
/** Pixels of wheel that a key stands for. */
const KEY = 100;

const ZOOM_KEYS: Record<string, number> = { '+': -KEY, '=': -KEY, '-': KEY, _: KEY };

/** Whether the wheel scrolls a page of the room that it turns over. */
function scrolls({ target }: WheelEvent): boolean {
  const panel = (target as Element).closest('.stage-panel');
  return panel !== null && panel.scrollHeight > panel.clientHeight;
}

/**
 * Zooms where the room allows it: the wheel and the keys + and − go on ahead, or bring a panorama closer.
 * @returns a function that stops listening
 */
export function listenForZoom(rig: CameraRig, surface: HTMLElement, room: () => Room): () => void {
  const zoom = (pixels: number) => {
    if (room().template?.model_type === 'pano') rig.zoom(2 ** (-pixels / DOUBLE));
    else rig.dolly((-pixels * CAMERA_LIMITS.dollySpeed) / WHEEL);
  };
  const wheel = (event: WheelEvent) => {
    if (!room().config.camera.zoom || !rig.controls.enabled || scrolls(event)) return;
    event.preventDefault();
    zoom(event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * LINE : event.deltaY);
  };
  const key = (event: KeyboardEvent) => {
    const pixels = ZOOM_KEYS[event.key];
    if (pixels === undefined || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (!room().config.camera.zoom) return;
    event.preventDefault();
    zoom(pixels);
  };
  surface.addEventListener('wheel', wheel, { passive: false });
  addEventListener('keydown', key);
  return () => {
    surface.removeEventListener('wheel', wheel);
    removeEventListener('keydown', key);
  };
}
