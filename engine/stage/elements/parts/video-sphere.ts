import {
  type Camera,
  Group,
  Matrix3,
  Matrix4,
  Mesh,
  Quaternion,
  RepeatWrapping,
  type Texture,
  Vector3,
  Vector4,
} from 'three';
import type { ElementOf } from '../../../document/element.ts';
import { PLACE_OF, partUniform } from '../../surroundings/equirectangular.ts';
import { panoramaMaterial, screenTriangle } from '../../surroundings/panorama-material.ts';
import type { VideoSurface } from './video-surface.ts';

type Stereo = ElementOf<'native_video'>['config']['stereo'];
type Layout = Exclude<Stereo, 'auto'>;

/** Videos are shown unmodified, like panoramas. `eye` is the left, top, width and height of an eye's image in the frame. */
const FRAGMENT = `
varying vec3 ray;
uniform sampler2D picture;
uniform vec4 part, eye;
uniform mat3 turn;
${PLACE_OF}
void main() {
  vec2 place = placeOf(ray * turn, part);
  // Texels of the other eye must not blend in.
  vec2 edge = (1. - eye.zw) * .5 / vec2(textureSize(picture, 0)) / eye.zw;
  gl_FragColor = textureLod(picture, eye.xy + clamp(place, edge, 1. - edge) * eye.zw, 0.);
}`;

/** Where the image of each eye is in a frame: left, top, width and height. */
const EYES: Record<Layout, readonly [left: Vector4, right: Vector4]> = {
  mono: [new Vector4(0, 0, 1, 1), new Vector4(0, 0, 1, 1)],
  top_bottom: [new Vector4(0, 0, 1, 0.5), new Vector4(0, 0.5, 1, 0.5)],
  left_right: [new Vector4(0, 0, 0.5, 1), new Vector4(0.5, 0, 0.5, 1)],
};

/** The whole sphere, and the part of it that a message about trouble covers: 60° in front, 16:9. */
const WHOLE = new Vector4(...partUniform({}));
const MESSAGE = new Vector4(...partUniform({ part: { left: 5 / 12, top: 13 / 32, width: 1 / 6, height: 3 / 16 } }));

/** Distance in units at which it is hit, unless the ray is shorter. */
const FARTHEST = 1e9;
/** Layer of the right eye's camera in a headset. */
const RIGHT_EYE = 2;

/** Layout of frames: those of 360° videos have an aspect ratio of 2:1 for each eye. */
export function layoutOf(stereo: Stereo, { width, height }: { width: number; height: number }): Layout {
  if (stereo !== 'auto') return stereo;
  const ratio = width / height;
  if (ratio < Math.SQRT2) return 'top_bottom';
  return ratio > 2 * Math.SQRT2 ? 'left_right' : 'mono';
}

const matrix = new Matrix4();
const position = new Vector3();
const scale = new Vector3();
const rotation = new Quaternion();

/**
 * A 360° video around the visitor, infinitely far away and behind everything else.
 * @param cover called with whether it hides the room's surroundings
 * @param isPressed whether pressing it has an effect
 */
export function videoSphere(cover: (isCovered: boolean) => void, stereo: Stereo, isPressed: boolean): VideoSurface {
  const uniforms = {
    picture: { value: null as Texture | null },
    part: { value: WHOLE },
    turn: { value: new Matrix3() },
    eye: { value: EYES.mono[0] },
  };
  const mesh = new Mesh(screenTriangle(), panoramaMaterial(FRAGMENT, uniforms));
  // Over a panorama, which it replaces.
  mesh.renderOrder = -Number.MAX_SAFE_INTEGER / 2;
  mesh.frustumCulled = false;
  mesh.visible = false;
  // Behind everything, and only if pressing it has an effect.
  mesh.raycast = ({ ray, far }, hits) => {
    if (!isPressed) return;
    const distance = Math.min(far, FARTHEST);
    hits.push({ distance, point: ray.at(distance, new Vector3()), object: mesh });
  };
  let film = { width: 2, height: 1 };
  let isShown = false;
  const update = () => cover(isShown && mesh.visible);
  const { material } = mesh;
  mesh.onBeforeRender = (_renderer, _scene, camera: Camera) => {
    const { image } = uniforms.picture.value as { image?: { width?: number; height?: number } };
    // An image is as large as itself, a frame as large as the video.
    const size = image?.width && image.height ? { width: image.width, height: image.height } : film;
    const isMessage = uniforms.part.value === MESSAGE;
    const [left, right] = EYES[isMessage ? 'mono' : layoutOf(stereo, size)];
    uniforms.eye.value = camera.layers.isEnabled(RIGHT_EYE) && !camera.layers.isEnabled(1) ? right : left;
    mesh.matrixWorld.decompose(position, rotation, scale);
    uniforms.turn.value.setFromMatrix4(matrix.makeRotationFromQuaternion(rotation));
    material.uniformsNeedUpdate = true;
  };
  return {
    object: new Group().add(mesh),
    flipY: false,
    preview: { asIs: true, mipmaps: false },
    fit: (size) => {
      film = size;
    },
    put: (map, isMessage) => {
      if (!isMessage) map.wrapS = RepeatWrapping;
      uniforms.picture.value = map;
      uniforms.part.value = isMessage ? MESSAGE : WHOLE;
      mesh.visible = true;
      update();
    },
    show: (visible) => {
      isShown = visible;
      update();
    },
    dispose: () => {
      cover(false);
      mesh.geometry.dispose();
      material.dispose();
    },
  };
}
