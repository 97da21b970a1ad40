import { MeshBasicMaterial } from 'three';

/** Material of objects that are picked, but not drawn. */
export const PICKED = new MeshBasicMaterial();
