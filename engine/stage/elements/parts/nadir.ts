import {
  AddEquation,
  CustomBlending,
  DoubleSide,
  Mesh,
  OneFactor,
  OneMinusSrcAlphaFactor,
  PlaneGeometry,
  ShaderMaterial,
  SrcAlphaFactor,
  Vector2,
} from 'three';
import type { ElementOf } from '../../../document/element.ts';
import { placePanorama } from '../../../document/places.ts';
import { imageSizes } from '../../../document/small-copy.ts';
import type { ElementView, StageContext } from '../../context.ts';

/** Width in pixels at which a patch is sharp enough. */
const SHARP_WIDTH = 980;
/** Render order of panoramas, behind everything. */
const PANORAMA_ORDER = -Number.MAX_SAFE_INTEGER;

/** A square one unit below the eye, wherever it is. The top of the image is at −z. */
const VERTEX = `
uniform float reach;
varying vec2 at;
void main() {
  at = position.xy;
  vec3 way = vec3(position.x * reach, -1, -position.y * reach);
  gl_Position = projectionMatrix * vec4(mat3(viewMatrix) * way, 1);
  gl_Position.z = 0.;
}`;
/** The whole image within a disc. */
const FRAGMENT = `
uniform sampler2D picture;
uniform vec2 sides;
varying vec2 at;
void main() {
  vec2 place = at / sides;
  gl_FragColor = texture2D(picture, vec2(place.x, -place.y) * .5 + .5);
  float edge = length(at);
  gl_FragColor.a *= step(max(abs(place.x), abs(place.y)), 1.) * (1. - smoothstep(1. - 2. * fwidth(edge), 1., edge));
}`;

/** An image straight below the visitor at places with a panorama, over the tripod. */
export async function drawNadir(
  context: StageContext,
  { config, file }: ElementOf<'image'>,
  url: string,
): Promise<ElementView> {
  const { resources, renderer, scene, three } = context;
  const sizes = imageSizes(url, file);
  const size = sizes.find(({ width }) => width >= SHARP_WIDTH) ?? sizes.at(-1)!;
  const options = { maxSize: renderer.capabilities.maxTextureSize, asIs: true };
  const picture = await resources.texture(size.url, options);
  const { width, height } = picture.image as { width: number; height: number };
  const longest = Math.max(width, height);
  const material = new ShaderMaterial({
    uniforms: {
      picture: { value: picture },
      reach: { value: Math.tan((config.nadir_angle * Math.PI) / 360) },
      sides: { value: new Vector2(width / longest, height / longest) },
    },
    vertexShader: VERTEX,
    fragmentShader: FRAGMENT,
    side: DoubleSide,
    depthTest: false,
    depthWrite: false,
    // Transparent materials would be drawn after, and over, everything else.
    blending: CustomBlending,
    blendEquation: AddEquation,
    blendSrc: SrcAlphaFactor,
    blendDst: OneMinusSrcAlphaFactor,
    blendSrcAlpha: OneFactor,
  });
  const object = new Mesh(new PlaneGeometry(2, 2), material);
  object.renderOrder = PANORAMA_ORDER + 1;
  object.frustumCulled = false;
  object.raycast = () => undefined;
  object.layers.disableAll();
  const isBelow = () =>
    Boolean(placePanorama(scene.room, scene.place)?.position) &&
    three.children.some(({ renderOrder }) => renderOrder === PANORAMA_ORDER);
  let isShown = false;
  return {
    object,
    animate: () => {
      if (isBelow() === isShown) return false;
      isShown = !isShown;
      if (isShown) object.layers.enable(0);
      else object.layers.disableAll();
      return true;
    },
    dispose: () => {
      object.geometry.dispose();
      material.dispose();
      resources.release(size.url, options);
    },
  };
}
