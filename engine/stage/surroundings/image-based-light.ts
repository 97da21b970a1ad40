import { EquirectangularReflectionMapping, PMREMGenerator, type Scene, type Texture, type WebGLRenderer } from 'three';

/**
 * Intensity of the built-in environment: high enough for metal to look like metal, low enough for lights to matter.
 */
const BUILT_IN_STRENGTH = 0.35;

/**
 * Adds environment lighting to a scene.
 * @param url Radiance HDR or OpenEXR file; empty for the built-in environment
 * @returns a function that removes it
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
