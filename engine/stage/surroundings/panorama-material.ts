import {
  BufferAttribute,
  BufferGeometry,
  Matrix3,
  ShaderMaterial,
  type Texture,
  Vector4,
  type WebGLRenderer,
} from 'three';
import type { FileReference } from '../../document/fields.ts';
import type { PlacedPanorama } from '../../document/places.ts';
import { rotationOf } from '../../document/rotation.ts';
import type { TextureOptions } from '../resources/resources.ts';
import { partUniform } from './equirectangular.ts';
import { shownPanorama, widthLimit } from './shown-panorama.ts';

/** The direction of each pixel in the world, for the projection of each eye. */
const VERTEX = `
varying vec3 ray;
void main() {
  vec2 at = (position.xy + projectionMatrix[2].xy) / vec2(projectionMatrix[0][0], projectionMatrix[1][1]);
  ray = vec3(at, -1) * mat3(viewMatrix);
  // Empty in orthographic views, which have no horizon.
  gl_Position = vec4(-projectionMatrix[2][3] * position.xy, 0, 1);
}`;
/** Uniforms of one panorama. */
export interface PanoramaUniforms {
  picture: { value: Texture };
  /** See `partUniform`. */
  part: { value: Vector4 };
  /** Rotation from image to world directions. */
  turn: { value: Matrix3 };
}

/** @param picture with top-down rows and unconverted colors */
export const uniformsOf = (view: PlacedPanorama, picture: Texture): PanoramaUniforms => ({
  picture: { value: picture },
  part: { value: new Vector4(...partUniform(view.file)) },
  turn: { value: new Matrix3().fromArray(rotationOf(view)) },
});

/** How images of a panorama are loaded. */
export const textureOptions = ({ capabilities }: WebGLRenderer, file: FileReference): TextureOptions => ({
  mipmaps: false,
  maxSize: Math.min(capabilities.maxTextureSize, widthLimit(file)),
  asIs: true,
  isTiled: shownPanorama(file).tiles !== null,
  wraps: (file.part?.width ?? 1) === 1,
});

/** A material that covers the screen behind everything else. */
export const panoramaMaterial = (fragmentShader: string, uniforms: object): ShaderMaterial =>
  new ShaderMaterial({ uniforms: { ...uniforms }, vertexShader: VERTEX, fragmentShader, depthTest: false });

/** A triangle that covers the screen. */
export function screenTriangle(): BufferGeometry {
  const corners = new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]);
  return new BufferGeometry().setAttribute('position', new BufferAttribute(corners, 3));
}
