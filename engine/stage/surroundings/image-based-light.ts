import { EquirectangularReflectionMapping, PMREMGenerator, type Scene, type Texture, type WebGLRenderer } from 'three';

/** Strength of the built-in environment: enough for metal to look like metal, little enough for lights to matter. */
const BUILT_IN_STRENGTH = 0.35;

/**
 * Lights a scene from all around, by an HDR picture or by the built-in soft room.
 * @param url Radiance HDR or OpenEXR file; empty takes the built-in one
 * @returns a function that takes it away again
 */
export async function addImageBasedLight(scene: Scene, renderer: WebGLRenderer, url: string): Promise<() => void> {
  const generator = new PMREMGenerator(renderer);
  let map: Texture;
  if (url) {
    const loader = /\.exr$/i.test(url)
      ? new (await import('three/addons/loaders/EXRLoader.js')).EXRLoader()
      : new (await import('three/addons/loaders/HDRLoader.js')).HDRLoader();
    const picture = await loader.loadAsync(url);
    picture.mapping = EquirectangularReflectionMapping;
    map = generator.fromEquirectangular(picture).texture;
    picture.dispose();
    scene.environmentIntensity = 1;
  } else {
    const { RoomEnvironment } = await import('three/addons/environments/RoomEnvironment.js');
    const room = new RoomEnvironment();
    map = generator.fromScene(room, 0.04).texture;
    room.dispose();
    scene.environmentIntensity = BUILT_IN_STRENGTH;
  }
  generator.dispose();
  scene.environment = map;
  return () => {
    scene.environment = null;
    map.dispose();
  };
}
