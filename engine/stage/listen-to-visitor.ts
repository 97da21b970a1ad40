import type { PerspectiveCamera } from 'three';
import { listenToKeyboard } from './camera/keyboard.ts';
import type { CameraRig } from './camera/rig.ts';
import type { ElementViews } from './element-views.ts';
import type { LateDom } from './late-dom.ts';
import { PointerRouter } from './pointer.ts';
import { targetsIn } from './pressable.ts';
import type { StageOptions } from './stage-options.ts';

/** What a visitor's pointer and keys act on. */
export interface VisitorReach {
  options: StageOptions;
  canvas: HTMLCanvasElement;
  camera: PerspectiveCamera;
  rig: CameraRig;
  views: ElementViews;
  dom: LateDom;
}

/**
 * Hands pointer and keys to a room.
 * @returns a function that stops listening
 */
export function listenToVisitor({ options, canvas, camera, rig, views, dom }: VisitorReach): () => void {
  const targets = targetsIn(views, options);
  const pointer = new PointerRouter(options.container, canvas, camera, targets, dom);
  const stopKeys = listenToKeyboard(rig, () => options.scene.room.config.camera.rotate);
  return () => {
    pointer.dispose();
    stopKeys();
  };
}
