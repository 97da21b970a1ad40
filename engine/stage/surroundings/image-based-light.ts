import {
  EquirectangularReflectionMapping,
  type Object3D,
  PMREMGenerator,
  type Texture,
  type WebGLRenderTarget,
} from 'three';
import { LIGHT_ENVIRONMENT } from '../../document/small-copy.ts';
import type { StageContext } from '../context.ts';

/** The built-in environment. */
const BUILT_IN = {
  /** Intensity: high enough for metal to look like metal, low enough for lights to matter. */
  strength: 0.35,
  /** Mean luminance, as room-probe.ts measures it. */
  luminance: 1.05,
} as const;

type Drawing = Pick<StageContext, 'three' | 'renderer'>;

/** Environment lighting of a scene. */
export interface ImageBasedLight {
  /**
   * Replaces the built-in environment with reflections of the room: as bright as that, but not brighter than the room.
   * An environment map of the room's own stays.
   * @param around the room's own object; null for the built-in environment
   */
  reflect(context: StageContext, around: Object3D | null): Promise<void>;
  remove(): void;
}

/** The filtered environment map of a Radiance HDR or OpenEXR file. */
async function filteredFile({ renderer }: Drawing, url: string): Promise<WebGLRenderTarget> {
  const loader = /\.exr$/i.test(url)
    ? new (await import('three/addons/loaders/EXRLoader.js')).EXRLoader()
    : new (await import('three/addons/loaders/HDRLoader.js')).HDRLoader();
  // The server sends the smaller version of an environment, if it has one.
  loader.setRequestHeader({ Accept: `${LIGHT_ENVIRONMENT}, */*` });
  const picture = await loader.loadAsync(url);
  picture.mapping = EquirectangularReflectionMapping;
  const generator = new PMREMGenerator(renderer);
  const map = generator.fromEquirectangular(picture);
  generator.dispose();
  picture.dispose();
  return map;
}

async function filteredStudio({ renderer }: Drawing): Promise<WebGLRenderTarget> {
  const { RoomEnvironment } = await import('three/addons/environments/RoomEnvironment.js');
  const studio = new RoomEnvironment();
  const generator = new PMREMGenerator(renderer);
  const map = generator.fromScene(studio, 0.04);
  generator.dispose();
  studio.dispose();
  return map;
}

/**
 * Adds environment lighting to a scene.
 * @param url Radiance HDR or OpenEXR file; empty for the built-in environment
 */
export async function addImageBasedLight(drawing: Drawing, url: string): Promise<ImageBasedLight> {
  const { three } = drawing;
  const map = url ? await filteredFile(drawing, url) : await filteredStudio(drawing);
  const shine = (texture: Texture, intensity: number) => {
    three.environment = texture;
    three.environmentIntensity = intensity;
  };
  let probed: WebGLRenderTarget | undefined;
  let isRemoved = false;
  /** Number of probes, of which the last counts. */
  let probes = 0;
  const keep = (next?: WebGLRenderTarget) => {
    probed?.dispose();
    probed = next;
  };
  shine(map.texture, url ? 1 : BUILT_IN.strength);
  return {
    async reflect(context, around) {
      if (url) return;
      const nth = ++probes;
      const isOutdated = () => isRemoved || nth !== probes;
      if (!around) {
        shine(map.texture, BUILT_IN.strength);
        keep();
        return;
      }
      const { probeRoom } = await import('./room-probe.ts');
      if (isOutdated()) return;
      const { environment, environmentIntensity } = three;
      // Lit by its own reflections, a room would look different with each probe.
      shine(map.texture, BUILT_IN.strength);
      const probing = probeRoom(context, around);
      shine(environment!, environmentIntensity);
      const probe = await probing;
      if (isOutdated()) {
        probe.map.dispose();
        return;
      }
      shine(probe.map.texture, Math.min(1, (BUILT_IN.strength * BUILT_IN.luminance) / probe.luminance));
      keep(probe.map);
    },
    remove() {
      isRemoved = true;
      three.environment = null;
      keep();
      map.dispose();
    },
  };
}
