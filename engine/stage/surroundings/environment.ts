import { type PlacedPanorama, placePanorama } from '../../document/places.ts';
import type { Room } from '../../document/room.ts';
import type { StageContext, Surroundings } from '../context.ts';
import type { Background } from './background.ts';
import { Panorama } from './panorama.ts';
import type { PanoramaChange } from './panorama-walk.ts';

/** Loads the room around visitors who aren't in a panorama. */
async function drawShell(context: StageContext, room: Room): Promise<Surroundings> {
  return room.template?.file && room.template.model_type === 'model'
    ? (await import('./model.ts')).drawModel(context, room)
    : (await import('./grid.ts')).drawGrid(context, room);
}

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
  #light: Promise<() => void> | undefined;
  /** URL of the environment map; empty for the built-in one. */
  #lit: string | undefined;
  #background: Promise<Background> | undefined;
  /** Whether the room is drawn: its background image would cover that of the previous room. */
  #hasBegun = false;
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
    this.#showBackground(room);
    const request = ++this.#changes;
    const isWanted = () => !this.#isOver && request === this.#changes;
    try {
      const view = placePanorama(room, place);
      if (view) await this.#showPanorama(view, change, isWanted);
      else await this.#showShell(room, change, isWanted);
    } catch (error) {
      this.#fail(error);
      // The visitor is there, even if it can't be seen.
      if (isWanted()) change.begun();
    }
  }

  /** Starts drawing the room. */
  begin(room: Room): void {
    this.#hasBegun = true;
    this.#showBackground(room);
  }

  #showBackground(room: Room): void {
    if (!this.#hasBegun) return;
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
    if (this.#shell) this.#shell.object.visible = false;
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
    this.#shell.object.visible = true;
    if (this.#panorama) three.remove(this.#panorama.object);
    this.#panorama?.dispose();
    this.#panorama = undefined;
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
    // A panorama may have become current meanwhile.
    shell.object.visible = !this.#panorama;
    three.add(shell.object);
  }

  /** Adds environment lighting, once. @param url of an HDR image; empty for the built-in one */
  light(url: string): void {
    const { three, renderer, invalidate } = this.#context;
    this.#lit ??= url;
    this.#light ??= import('./image-based-light.ts')
      .then(({ addImageBasedLight }) => addImageBasedLight(three, renderer, url))
      .catch((error: unknown) => {
        this.#fail(error);
        return () => undefined;
      })
      .finally(invalidate);
  }

  /** Recreates environment lighting after a context loss. */
  relight(): void {
    const url = this.#lit;
    if (url === undefined) return;
    void this.#light?.then((remove) => remove());
    this.#light = undefined;
    this.light(url);
  }

  dispose(): void {
    this.#isOver = true;
    void this.#background?.then((background) => background.dispose());
    this.#panorama?.dispose();
    this.#shell?.dispose();
    void this.#light?.then((remove) => remove());
  }
}
