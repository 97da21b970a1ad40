import { type BufferGeometry, Mesh, type PerspectiveCamera, type ShaderMaterial } from 'three';
import type { PlacedPanorama } from '../../document/places.ts';
import type { StageContext, Surroundings } from '../context.ts';
import { PLACE_OF } from './equirectangular.ts';
import {
  type PanoramaUniforms,
  panoramaMaterial,
  screenTriangle,
  textureOptions,
  uniformsOf,
} from './panorama-material.ts';
import type { PanoramaChange, PanoramaWalk } from './panorama-walk.ts';
import { shownPanorama } from './shown-panorama.ts';

/** Photos are shown unmodified: no lighting, tone mapping or color conversion. */
const FRAGMENT = `
varying vec3 ray;
uniform sampler2D picture;
uniform vec4 part;
uniform mat3 turn;
${PLACE_OF}
void main() {
  gl_FragColor = textureLod(picture, placeOf(ray * turn, part), 0.);
}`;

/**
 * A 360° photo around the visitor, infinitely far away. After the first frames, `PanoramaWalk` adds sharp tiles where
 * the visitor looks, and changes to other panoramas.
 */
export class Panorama implements Surroundings {
  readonly object: Mesh<BufferGeometry, ShaderMaterial>;
  readonly #walk: () => Promise<PanoramaWalk>;
  /** Releases the first image, unless `PanoramaWalk` does. */
  readonly #release: () => void;
  readonly #resources: StageContext['resources'];
  /** Whether there are tiles or other panoramas, and `PanoramaWalk` hasn't been requested. */
  #needsWalk: boolean;
  #loaded: PanoramaWalk | undefined;
  #isOver = false;

  private constructor(context: StageContext, view: PlacedPanorama, uniforms: PanoramaUniforms) {
    const material = panoramaMaterial(FRAGMENT, uniforms);
    this.object = new Mesh(screenTriangle(), material);
    this.object.renderOrder = -Number.MAX_SAFE_INTEGER;
    this.object.frustumCulled = false;
    // It is behind everything and has no surface to hit.
    this.object.raycast = () => undefined;
    this.#release = () => context.resources.release(shownPanorama(view.file).url, { asIs: true });
    let walk: Promise<PanoramaWalk> | undefined;
    this.#walk = () => {
      walk ??= import('./panorama-walk.ts').then(({ PanoramaWalk: Walk }) => {
        if (this.#isOver) throw new Error('The panorama is no longer shown.');
        this.#loaded = new Walk(context, this.object, view, uniforms);
        context.invalidate();
        return this.#loaded;
      });
      // The next request tries again.
      walk.catch(() => {
        walk = undefined;
      });
      return walk;
    };
    this.#needsWalk = view.position !== null || shownPanorama(view.file).tiles !== null;
    this.#resources = context.resources;
  }

  /** Loads a panorama, at first in small. @throws if its image can't be loaded */
  static async load(context: StageContext, view: PlacedPanorama): Promise<Panorama> {
    const { url, small } = shownPanorama(view.file);
    const texture = await context.resources.texture(url, { ...textureOptions(context.renderer, view.file), small });
    return new Panorama(context, view, uniformsOf(view, texture));
  }

  follow(camera: PerspectiveCamera): void {
    this.#loaded?.follow(camera);
    if (!this.#needsWalk) return;
    this.#needsWalk = false;
    // After the first frame and its image. Without it, that image stays; reduced sharpness isn't worth an error message.
    void this.#resources.sharp().then(() => {
      if (!this.#isOver) this.#walk().catch(() => undefined);
    });
  }

  animate(dt: number): boolean {
    return this.#loaded?.animate(dt) ?? false;
  }

  /** Changes to another panorama; see `PanoramaWalk.show`. */
  async show(view: PlacedPanorama, change: PanoramaChange, isWanted: () => boolean): Promise<void> {
    await (this.#loaded ?? (await this.#walk())).show(view, change, isWanted);
  }

  dispose(): void {
    this.#isOver = true;
    if (this.#loaded) this.#loaded.dispose();
    else this.#release();
    this.object.geometry.dispose();
    this.object.material.dispose();
  }
}
