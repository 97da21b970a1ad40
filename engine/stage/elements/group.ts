import { Object3D } from 'three';
import type { ElementDrawing } from '../context.ts';

/** A group draws nothing itself. */
export const draw: ElementDrawing = async () => ({ object: new Object3D(), dispose: () => undefined });
