import { ACESFilmicToneMapping, AgXToneMapping, NeutralToneMapping, NoToneMapping, type WebGLRenderer } from 'three';
import type { ToneMapping } from '../../document/constants.ts';
import { type PlacedPanorama, placePanorama } from '../../document/places.ts';
import type { Room } from '../../document/room.ts';
import { isSplats } from '../../document/splats.ts';
import type { StageContext, Surroundings } from '../context.ts';
import type { Background } from './background.ts';
import type { ImageBasedLight } from './image-based-light.ts';
import { Panorama } from './panorama.ts';
import type { PanoramaChange } from './panorama-walk.ts';

/** URL of the model that is the room; undefined for plain walls. */
const shellModel = ({ template }: Room): string | undefined =>
  template?.model_type === 'model' ? template.file?.url : undefined;

/** Loads the room around visitors who aren't in a panorama. */
async function drawShell(context: StageContext, room: Room): Promise<Surroundings> {
  return shellModel(room)
    ? (await import('./model.ts')).drawModel(context, room)
    : (await import('./grid.ts')).drawGrid(context, room);
}

const TONES: Record<ToneMapping, WebGLRenderer['toneMapping']> = {
  neutral: NeutralToneMapping,
  aces: ACESFilmicToneMapping,
  agx: AgXToneMapping,
  none: NoToneMapping,
};

const AT_ONCE: PanoramaChange = { kind: 'cut', begun: () => undefined };

/** A room's surroundings, background image and environment lighting. */
export class Environment {
  readonly #context: StageContext;
  readonly #fail: (error: unknown) => void;
  /** Inputs of the current or loading shell. */
  #drawn: readonly unknown[] = [];
  #loading: Promise<void> | undefined;
  /** The room itself; hidden while a panorama is current. */
  #shell: Surroundings | undefined;
  #panorama: Panorama | undefined;
  #latest: Promise<void> | undefined;
  /** Number of requested changes, of which the last counts. */
  #changes = 0;
  /** The latest change of places, until it begins. */
  #pending: PanoramaChange | undefined;
  #light: Promise<ImageBasedLight | undefined> | undefined;
  /** URL of the environment map; empty for the built-in one. */
  #lit: string | undefined;
  /** Whether models reflect the surroundings, which is from full load. */
  #reflects = false;
  /** The latest surroundings: the shell, or what identifies a panorama. */
  #reflected: unknown;
  #background: Promise<Background> | undefined;
  /** Whether the room is drawn: its background image would cover that of the previous room. */
  #hasBegun = false;
  /** Objects that cover the surroundings, such as 360° videos. */
  readonly #covers = new Set<object>();
  #isOver = false;

  /** @param fail called with loading errors */
  constructor(context: StageContext, fail: (error: unknown) => void) {
    this.#context = context;
    this.#fail = fail;
  }

  /** The current surroundings; undefined until loaded. */
  get surroundings(): Surroundings | undefined {
    return this.#panorama ?? this.#shell;
  }

  /**
   * Loads the surroundings at a place if their inputs changed, instead of those requested before.
   * @param place id of a view point; 0 for none
   */
  show(room: Room, place = 0, change = AT_ONCE): Promise<void> {
    this.#pending = change;
    const begun = () => {
      if (this.#pending !== change) return;
      this.#pending = undefined;
      change.begun();
    };
    this.#latest = this.#show(room, place, { kind: change.kind, begun });
    return this.#latest;
  }

  /**
   * Shows edits of the room at the latest place. A change to that place that waits for its image goes on.
   * @param begun called when the edits are drawn for the first time, after that of the change
   */
  update(room: Room, place: number, begun: () => void): Promise<void> {
    const pending = this.#pending ?? AT_ONCE;
    return this.show(room, place, {
      kind: pending.kind,
      begun: () => {
        pending.begun();
        begun();
      },
    });
  }

  /** Loads the first surroundings: those of the latest call of `show`, if there was one. */
  async open(room: Room, place: number): Promise<void> {
    this.#latest ??= this.show(room, place);
    for (let latest: Promise<void> | undefined; latest !== this.#latest; ) {
      latest = this.#latest;
      await latest;
    }
  }

  async #show(room: Room, place: number, change: PanoramaChange): Promise<void> {
    this.#applyLook(room);
    const request = ++this.#changes;
    const isWanted = () => !this.#isOver && request === this.#changes;
    try {
      const view = placePanorama(room, place);
      if (view) await this.#showPanorama(view, change, isWanted);
      else await this.#showShell(room, change, isWanted);
      const reflected = view ? [view.file.url, view.heading, view.pitch, view.roll].join() : this.#shell;
      if (!isWanted() || reflected === this.#reflected) return;
      this.#reflected = reflected;
      if (this.#reflects) await this.reflect();
    } catch (error) {
      this.#fail(error);
      // The visitor is there, even if it can't be seen.
      if (isWanted()) change.begun();
    }
  }

  /** Hides the room itself while anything covers it. @param by the covering object */
  cover(by: object, isCovered: boolean): void {
    if (isCovered) this.#covers.add(by);
    else this.#covers.delete(by);
    this.#hideOrShow();
    this.#context.invalidate();
  }

  #hideOrShow(): void {
    if (this.#shell) this.#shell.object.visible = !this.#panorama && this.#covers.size === 0;
  }

  /** Starts drawing the room. */
  begin(room: Room): void {
    this.#hasBegun = true;
    this.#applyLook(room);
  }

  /** Applies the settings of the shared renderer, and the background image. */
  #applyLook(room: Room): void {
    if (!this.#hasBegun) return;
    // Templates of earlier versions have no tone mapping.
    this.#context.renderer.toneMapping = TONES[room.template?.config?.tone_mapping ?? 'neutral'];
    const image = room.template?.background_file?.url;
    if (image && !this.#context.transparent)
      this.#background ??= import('./background.ts').then(
        ({ Background }) => new Background(this.#context, this.#fail),
      );
    void this.#background?.then((background) => background.show(image));
  }

  async #showPanorama(view: PlacedPanorama, change: PanoramaChange, isWanted: () => boolean): Promise<void> {
    if (this.#panorama) {
      await this.#panorama.show(view, change, isWanted);
      return;
    }
    const panorama = await Panorama.load(this.#context, view);
    if (!isWanted()) {
      panorama.dispose();
      return;
    }
    this.#panorama = panorama;
    this.#context.three.add(panorama.object);
    this.#hideOrShow();
    change.begun();
    this.#context.invalidate();
  }

  async #showShell(room: Room, { begun }: PanoramaChange, isWanted: () => boolean): Promise<void> {
    const { three, invalidate } = this.#context;
    const { template, width, height, depth } = room;
    const inputs = [template, width, height, depth];
    if (!inputs.every((part, index) => part === this.#drawn[index])) {
      this.#drawn = inputs;
      this.#loading = this.#loadShell(room, inputs).catch((error: unknown) => {
        // The next request tries again.
        if (this.#drawn === inputs) this.#drawn = [];
        throw error;
      });
    }
    await this.#loading;
    if (!isWanted() || !this.#shell) return;
    if (this.#panorama) three.remove(this.#panorama.object);
    this.#panorama?.dispose();
    this.#panorama = undefined;
    this.#hideOrShow();
    begun();
    invalidate();
  }

  async #loadShell(room: Room, inputs: readonly unknown[]): Promise<void> {
    const { three } = this.#context;
    const shell = await drawShell(this.#context, room);
    if (this.#isOver || this.#drawn !== inputs) {
      shell.dispose();
      return;
    }
    if (this.#shell) three.remove(this.#shell.object);
    this.#shell?.dispose();
    this.#shell = shell;
    this.#hideOrShow();
    three.add(shell.object);
  }

  /** Adds environment lighting, once. @param url of an HDR image; empty for the built-in one */
  light(url: string): void {
    this.#lit ??= url;
    if (this.#light) return;
    this.#light = import('./image-based-light.ts')
      .then(({ addImageBasedLight }) => addImageBasedLight(this.#context, url))
      .catch((error: unknown) => {
        this.#fail(error);
        return undefined;
      })
      .finally(this.#context.invalidate);
    if (this.#reflects) void this.reflect();
  }

  /**
   * Lets models reflect the surroundings, now and after each change of them. Needs everything to be loaded. Plain walls
   * aren't reflected: metal would look flat.
   */
  async reflect(): Promise<void> {
    this.#reflects = true;
    const { scene, invalidate } = this.#context;
    const light = await this.#light;
    const around = this.surroundings?.object;
    if (!light || !around || this.#isOver) return;
    const model = shellModel(scene.room);
    // The renderer of splats draws for one camera only.
    const isShown = this.#panorama !== undefined || (model !== undefined && !isSplats(model));
    // Without a context, the environment stays until the next change.
    await light.reflect(this.#context, isShown ? around : null).catch(() => undefined);
    invalidate();
  }

  /** Recreates environment lighting after a context loss. */
  relight(): void {
    const url = this.#lit;
    if (url === undefined) return;
    void this.#light?.then((light) => light?.remove());
    this.#light = undefined;
    this.light(url);
  }

  dispose(): void {
    this.#isOver = true;
    void this.#background?.then((background) => background.dispose());
    this.#panorama?.dispose();
    this.#shell?.dispose();
    void this.#light?.then((light) => light?.remove());
  }
}
