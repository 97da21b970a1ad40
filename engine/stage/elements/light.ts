import {
  AmbientLight,
  DirectionalLight,
  Group,
  HemisphereLight,
  type Light,
  type LightShadow,
  type Object3D,
  type OrthographicCamera,
  type PerspectiveCamera,
  PointLight,
  SpotLight,
  Vector3,
} from 'three';
import type { ElementOf } from '../../document/element.ts';
import type { ElementDrawing, StageContext } from '../context.ts';
import { flatIntensity, placedIntensity } from '../rendering/light-unit.ts';

/** Resolution of a shadow map in pixels. */
export const SHADOW_MAP = 1024;
/** Ground color of hemisphere lights. */
const GROUND = '#3A352C';

type Config = ElementOf<'light'>['config'];

function lightOf(config: Config): Light {
  const { color, intensity, distance, decay, angle, penumbra } = config;
  switch (config.light_type) {
    case 'point_light':
      return new PointLight(color, placedIntensity(intensity, decay), distance, decay);
    case 'spot_light':
      return new SpotLight(color, placedIntensity(intensity, decay), distance, angle, penumbra, decay);
    case 'directional_light':
      return new DirectionalLight(color, flatIntensity(intensity));
    case 'hemisphere_light':
      return new HemisphereLight(color, GROUND, flatIntensity(intensity));
    case 'ambient_light':
      return new AmbientLight(color, flatIntensity(intensity));
  }
}

type ShadowCamera = PerspectiveCamera | OrthographicCamera;

function castShadow(light: Light & { shadow?: LightShadow<ShadowCamera> }, { near, far }: Config): void {
  if (!light.shadow) return;
  light.castShadow = true;
  light.shadow.mapSize.set(SHADOW_MAP, SHADOW_MAP);
  light.shadow.bias = -0.0005;
  light.shadow.normalBias = 2;
  const { camera } = light.shadow;
  camera.near = near;
  camera.far = far;
  if (light instanceof DirectionalLight) Object.assign(camera, { left: -2000, right: 2000, top: 2000, bottom: -2000 });
  camera.updateProjectionMatrix();
}

/** Keeps a light's target at the configured position or element. */
function aim(context: StageContext, target: Object3D, config: Config): () => boolean {
  const last = new Vector3(Number.NaN);
  const matrix = new Float32Array(16);
  return () => {
    const { type, position, element_id } = config.target;
    const entity = type === 'Element' && element_id !== null ? context.scene.entityOf(element_id) : undefined;
    if (entity === undefined) target.position.set(position.x, position.y, position.z);
    else {
      context.scene.worldMatrix(entity, matrix);
      target.position.set(matrix[12]!, matrix[13]!, matrix[14]!);
    }
    if (target.position.equals(last)) return false;
    last.copy(target.position);
    target.updateMatrixWorld();
    return true;
  };
}

export const draw: ElementDrawing<ElementOf<'light'>> = async (context, element) => {
  const { config } = element;
  const light = lightOf(config);
  if (config.cast_shadow) castShadow(light, config);
  const object = new Group().add(light);
  if (!(light instanceof SpotLight || light instanceof DirectionalLight)) {
    return { object, dispose: () => light.dispose() };
  }
  // The target's position is in room space, not in the light's.
  context.three.add(light.target);
  light.position.set(0, 0, 0);
  const animate = aim(context, light.target, config);
  animate();
  return {
    object,
    animate,
    dispose: () => {
      context.three.remove(light.target);
      light.dispose();
    },
  };
};
