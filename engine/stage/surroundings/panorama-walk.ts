import { Matrix4, type Mesh, type PerspectiveCamera, type ShaderMaterial, type Texture, Vector2, Vector3 } from 'three';
import type { Transition } from '../../document/constants.ts';
import { PANORAMA_TILE } from '../../document/panorama.ts';
import type { PlacedPanorama } from '../../document/places.ts';
import { linksFrom } from '../../document/tour-links.ts';
import type { StageContext } from '../context.ts';
import { PLACE_OF } from './equirectangular.ts';
import { PATCH, RING } from './nadir-blur.ts';
import { type Pages, PanoTiles } from './pano-tiles.ts';
import { type PanoramaUniforms, panoramaMaterial, uniformsOf } from './panorama-material.ts';
import { PanoramaPictures } from './panorama-pictures.ts';
import { PanoramaPrefetch } from './panorama-prefetch.ts';

/** Seconds that a change of panoramas takes. */
const CHANGE_TIME = 0.35;
/** Seconds from a press to the frame that answers it. */
const SINCE_PRESS = 1 / 30;
/** How far the view moves into the old panorama and starts before the new one, as a fraction of its radius. */
const ZOOM = { before: 0.6, now: -0.25 } as const;

/** A panorama with its tiles over it. At the edges of a tile, texels of its neighbors are blended as within a tile. */
const LOOK = `
${PLACE_OF}
const int SIDE = ${PANORAMA_TILE};
int layerOf(sampler2D pages, ivec2 tile) {
  return int(texelFetch(pages, tile, 0).r * 255. + .5);
}
vec4 texelOf(sampler2D picture, sampler2D pages, ivec2 at, ivec2 size) {
  ivec2 tile = at / SIDE;
  int layer = layerOf(pages, tile);
  if (layer == 255) return textureLod(picture, (vec2(at) + .5) / vec2(size), 0.);
  return texelFetch(tiles, ivec3(at - tile * SIDE, layer), 0);
}
vec4 look(vec3 ray, vec4 part, sampler2D picture, sampler2D pages, ivec2 size) {
  vec2 place = placeOf(ray, part);
  if (size.x == 0) return textureLod(picture, place, 0.);
  vec2 at = clamp(place, 0., 1.) * vec2(size);
  ivec2 tile = min(ivec2(at), size - 1) / SIDE;
  int layer = layerOf(pages, tile);
  if (layer == 255) return textureLod(picture, place, 0.);
  vec2 local = at - vec2(tile * SIDE);
  if (all(greaterThan(local, vec2(.5))) && all(lessThan(local, vec2(min(ivec2(SIDE), size - tile * SIDE)) - .5)))
    return textureLod(tiles, vec3(local / float(SIDE), layer), 0.);
  vec2 corner = floor(at - .5), f = at - .5 - corner;
  ivec2 c = ivec2(corner), d = min(c + 1, size - 1);
  c = max(c, 0);
  if (part.z == 1.) {
    c.x = at.x < .5 ? size.x - 1 : c.x;
    d.x = at.x >= float(size.x) - .5 ? 0 : d.x;
  }
  return mix(
    mix(texelOf(picture, pages, c, size), texelOf(picture, pages, ivec2(d.x, c.y), size), f.x),
    mix(texelOf(picture, pages, ivec2(c.x, d.y), size), texelOf(picture, pages, d, size), f.x), f.y);
}`;

/** Draws the current panorama, over the previous one during a change. */
const FRAGMENT = `
varying vec3 ray;
uniform highp sampler2DArray tiles;
uniform sampler2D picture, pages, oldPicture, oldPages;
uniform vec4 part, oldPart;
uniform mat3 turn, oldTurn;
uniform vec2 size, oldSize;
uniform vec3 door;
uniform vec2 zoom;
uniform float mixing, nadir;
${LOOK}
${PATCH}
void main() {
  vec3 way = normalize(ray);
  gl_FragColor = look((way + door * zoom.x) * turn, part, picture, pages, ivec2(size));
  if (mixing < 1.)
    gl_FragColor = mix(
      look((way + door * zoom.y) * oldTurn, oldPart, oldPicture, oldPages, ivec2(oldSize)), gl_FragColor, mixing);
  if (nadir > 0.) gl_FragColor = patched(gl_FragColor, way, nadir);
}`;

/** The colors around the nadir, for each vertex of the material's own shader. */
const withRing = (vertexShader: string): string => `
uniform sampler2D picture, oldPicture;
uniform vec4 part, oldPart;
uniform mat3 turn, oldTurn;
uniform float mixing, nadir;
${PLACE_OF}
${RING}
${vertexShader.replace(/}\s*$/, '')}
  for (int i = 0; i < ring.length(); i++) {
    if (nadir > 0.) ring[i] = averageOf(picture, part, turn, nadir, i);
    if (nadir > 0. && mixing < 1.) ring[i] = mix(averageOf(oldPicture, oldPart, oldTurn, nadir, i), ring[i], mixing);
  }
}`;

/**
 * Direction of the door to the current place: of a link that leads there, nearest the center of the view, otherwise of the
 * place itself, otherwise straight ahead.
 * @param place id of the view point where the visitor comes from
 */
function doorBetween(
  { scene, camera }: StageContext,
  place: number,
  from: PlacedPanorama,
  to: PlacedPanorama,
): Vector3 {
  const ahead = camera.getWorldDirection(new Vector3());
  const ways = linksFrom(scene.room.elements, place)
    .filter(({ to: id }) => id === scene.place)
    .map(({ element }) => {
      const matrix = new Matrix4();
      scene.worldMatrix(scene.entityOf(element.id) ?? 0, matrix.elements);
      return new Vector3().setFromMatrixPosition(matrix).sub(camera.position);
    })
    .toSorted((one, other) => one.angleTo(ahead) - other.angleTo(ahead));
  const way = ways[0] ?? new Vector3().copy(to.position ?? camera.position).sub(from.position ?? camera.position);
  return way.lengthSq() === 0 ? ahead : way.normalize();
}

/** How one panorama is exchanged for another. */
export interface PanoramaChange {
  /** `zoom` moves towards the door while the images cross-fade. */
  kind: Transition;
  /** Called when the new panorama is drawn for the first time, with the next frame. */
  begun(): void;
}

/** Whether two panoramas look the same. */
export const isSame = (one: PlacedPanorama, other: PlacedPanorama): boolean =>
  (['heading', 'pitch', 'roll'] as const).every((angle) => one[angle] === other[angle]) &&
  one.file.url === other.file.url;

/** A drawn panorama. */
interface Shown {
  view: PlacedPanorama;
  uniforms: PanoramaUniforms;
  pages: Pages | null;
}

/** Changes between panoramas, and their sharp tiles. */
export class PanoramaWalk {
  readonly #context: StageContext;
  readonly #material: ShaderMaterial;
  readonly #pictures: PanoramaPictures;
  readonly #tiles: PanoTiles;
  readonly #prefetch: PanoramaPrefetch;
  #now: Shown;
  #before: Shown | undefined;
  /** Id of the view point of the drawn panorama; 0 for none. */
  #place: number;
  /** How the current change looks. */
  #kind: Transition = 'cut';
  /** Seconds since the change began. */
  #time = CHANGE_TIME;
  /** Whether the current change has begun since the last frame. */
  #hasBegun = false;
  /** Called when the current change ends. */
  readonly #waiting: (() => void)[] = [];
  #isOver = false;

  /** @param mesh draws the first panorama; receives a material that draws all of them */
  constructor(
    context: StageContext,
    mesh: Mesh<Mesh['geometry'], ShaderMaterial>,
    view: PlacedPanorama,
    uniforms: PanoramaUniforms,
  ) {
    this.#context = context;
    this.#pictures = new PanoramaPictures(context, view, uniforms.picture.value);
    this.#tiles = new PanoTiles(context);
    this.#prefetch = new PanoramaPrefetch(context, this.#pictures, this.#tiles);
    this.#place = context.scene.place;
    // The material writes into the given ones.
    const own = uniformsOf(view, uniforms.picture.value);
    this.#now = { view, uniforms: own, pages: PanoTiles.pagesOf(view.file) };
    this.#material = panoramaMaterial(FRAGMENT, {
      ...uniforms,
      tiles: { value: this.#tiles.layers },
      door: { value: new Vector3() },
      zoom: { value: new Vector2() },
      mixing: { value: 1 },
      pages: { value: null },
      size: { value: new Vector2() },
      oldPicture: { value: null },
      oldPages: { value: null },
      oldPart: { value: uniforms.part.value },
      oldTurn: { value: uniforms.turn.value },
      oldSize: { value: new Vector2() },
      nadir: { value: 0 },
    });
    this.#material.vertexShader = withRing(this.#material.vertexShader);
    this.#apply();
    mesh.material.dispose();
    mesh.material = this.#material;
    void this.#prefetch.begin();
  }

  /** Loads tiles for the camera's view. */
  follow(camera: PerspectiveCamera): void {
    const { pages, uniforms } = this.#now;
    if (pages) this.#tiles.follow(pages, uniforms.turn.value, camera);
  }

  /**
   * Changes to another panorama once its small copy is there, after a change that is under way.
   * @param isWanted whether no later request supersedes this one
   * @throws if its image can't be loaded; the old one stays
   */
  async show(view: PlacedPanorama, change: PanoramaChange, isWanted: () => boolean): Promise<void> {
    this.#prefetch.end();
    this.#pictures.want(view.file);
    // A picture that is there is drawn with the frame that asks for it.
    const picture = this.#pictures.ready(view.file) ?? (await this.#pictures.first(view.file));
    if (!isWanted()) return;
    while (this.#before) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
      if (!isWanted()) return;
    }
    const isFile = () => this.#now.view.file.url === view.file.url;
    if (isSame(view, this.#now.view) || (change.kind === 'cut' && isFile())) this.#turn(view, change);
    else this.#begin(view, picture, change);
    const whole = await this.#pictures.whole(view.file);
    if (this.#isOver || !isFile()) return;
    this.#now.uniforms.picture.value = whole;
    this.#apply();
    this.#context.invalidate();
    void this.#prefetch.begin();
  }

  /** Shows the current image as another view, keeping its tiles. */
  #turn(view: PlacedPanorama, { begun }: PanoramaChange): void {
    this.#place = this.#context.scene.place;
    this.#now.view = view;
    this.#now.uniforms = uniformsOf(view, this.#now.uniforms.picture.value);
    this.#apply();
    begun();
    this.#context.invalidate();
  }

  #begin(view: PlacedPanorama, picture: Texture, { kind, begun }: PanoramaChange): void {
    const { scene } = this.#context;
    this.#material.uniforms.door!.value.copy(doorBetween(this.#context, this.#place, this.#now.view, view));
    this.#place = scene.place;
    this.#before = this.#now;
    this.#now = { view, uniforms: uniformsOf(view, picture), pages: PanoTiles.pagesOf(view.file) };
    this.#kind = kind;
    this.#time = kind === 'cut' ? CHANGE_TIME : 0;
    this.#hasBegun = true;
    this.#pictures.use([this.#before.view.file, view.file]);
    begun();
    this.#mix();
    this.#context.invalidate();
  }

  /** Advances a change. @returns whether one is under way */
  animate(dt: number): boolean {
    if (!this.#before) return false;
    // Of the time before a change, only what passed since the press is part of it.
    this.#time += this.#hasBegun ? Math.min(dt, SINCE_PRESS) : dt;
    this.#hasBegun = false;
    this.#mix();
    return true;
  }

  /** Draws the change as far as it has come: quickly at first, so that the press is answered at once. */
  #mix(): void {
    const part = Math.min(this.#time / CHANGE_TIME, 1);
    const eased = part * (2 - part);
    const { mixing, zoom } = this.#material.uniforms;
    mixing!.value = eased;
    if (this.#kind === 'zoom') zoom!.value.set(ZOOM.now * (1 - eased), ZOOM.before * eased);
    else zoom!.value.set(0, 0);
    if (part === 1) this.#end();
    this.#apply();
  }

  #end(): void {
    const { pages } = this.#before!;
    if (pages) this.#tiles.release(pages);
    this.#before = undefined;
    this.#pictures.use([this.#now.view.file]);
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Writes the uniforms of the drawn panoramas. */
  #apply(): void {
    const { uniforms } = this.#material;
    const now = this.#now;
    const old = this.#before ?? now;
    const isPlace = now.view.position !== null;
    uniforms.nadir!.value = isPlace ? ((this.#context.scene.room.config.nadir_blur ?? 0) * Math.PI) / 360 : 0;
    for (const [shown, prefix] of [
      [now, ''],
      [old, 'old'],
    ] as const) {
      const name = (key: string) => (prefix ? prefix + key[0]!.toUpperCase() + key.slice(1) : key);
      uniforms[name('picture')]!.value = shown.uniforms.picture.value;
      uniforms[name('part')]!.value = shown.uniforms.part.value;
      uniforms[name('turn')]!.value = shown.uniforms.turn.value;
      uniforms[name('pages')]!.value = shown.pages?.texture ?? null;
      uniforms[name('size')]!.value.set(shown.pages?.tiles.width ?? 0, shown.pages?.tiles.height ?? 0);
    }
  }

  dispose(): void {
    this.#isOver = true;
    this.#prefetch.end();
    for (const resolve of this.#waiting) resolve();
    for (const shown of [this.#now, this.#before]) if (shown?.pages) this.#tiles.release(shown.pages);
    this.#tiles.dispose();
    this.#pictures.dispose();
  }
}
