import type { Room } from '../../document/room.ts';
import type { SharedScrolling } from '../interaction/shared-scrolling.ts';
import { isTyping } from '../interaction/typing.ts';
import { CAMERA_LIMITS } from './limits.ts';
import type { CameraRig } from './rig.ts';

/** Wheel pixels per `dollySpeed` units. */
const WHEEL = 5;
/** Wheel pixels that zoom a panorama by a factor of two. */
const PIXELS_PER_DOUBLING = 600;
/** Wheel pixels per line. */
const LINE = 30;
/** Wheel pixels equivalent to a key press. */
const KEY = 100;

const ZOOM_KEYS: Record<string, number> = { '+': -KEY, '=': -KEY, '-': KEY, _: KEY };

/** Whether the wheel scrolls a panel under the pointer. */
function scrolls({ target }: WheelEvent): boolean {
  const panel = (target as Element).closest('.stage-panel');
  return panel !== null && panel.scrollHeight > panel.clientHeight;
}

/**
 * Zooms with the wheel and the keys + and −, if the room allows it: moves forward, or zooms in on a panorama.
 * @param shared set if the wheel is shared with the surrounding page
 * @returns a function that stops listening
 */
export function listenForZoom(
  rig: CameraRig,
  surface: HTMLElement,
  room: () => Room,
  shared?: SharedScrolling,
): () => void {
  const zoom = (pixels: number) => {
    if (rig.zooms) rig.zoom(2 ** (-pixels / PIXELS_PER_DOUBLING));
    else rig.dolly((-pixels * CAMERA_LIMITS.dollySpeed) / WHEEL);
  };
  const wheel = (event: WheelEvent) => {
    if (!room().config.camera.zoom || !rig.controls.enabled || scrolls(event)) return;
    if (shared && !shared.takesWheel(event)) return;
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
