import type { Vector } from '../document/fields.ts';
import { placePanorama } from '../document/places.ts';
import { ancestorsOf } from '../document/tree.ts';
import type { SceneEvent } from '../scene/scene.ts';
import type { CameraRig } from './camera/rig.ts';
import type { ElementViews } from './element-views.ts';
import type { StageOptions } from './stage-options.ts';
import type { Environment } from './surroundings/environment.ts';

type ViewPointEvent = Extract<SceneEvent, { type: 'view_point' }>;
/** An event after which another view point may be current. */
type PlaceEvent = ViewPointEvent | Extract<SceneEvent, { type: 'camera_reset' | 'place.changed' }>;

const isSame = (one: Vector, other: Vector): boolean => one.x === other.x && one.y === other.y && one.z === other.z;

/** Moves the camera to view points, and changes its surroundings. */
export class StagePlaces {
  readonly #options: StageOptions;
  readonly #rig: CameraRig;
  readonly #environment: Environment;
  readonly #views: ElementViews;
  /** Id of the view point that is current, or whose panorama is loading; 0 for none. */
  current: number;
  /** Id of the view point whose surroundings are drawn; 0 for none. */
  #drawn: number;
  /** Where the drawn panorama was taken; null for none. */
  #stood: Vector | null;

  constructor(options: StageOptions, rig: CameraRig, environment: Environment, views: ElementViews) {
    this.#options = options;
    this.#rig = rig;
    this.#environment = environment;
    this.#views = views;
    this.current = options.scene.place;
    this.#drawn = this.current;
    this.#stood = this.#positionOf(this.current);
  }

  /** Position of a view point's panorama in the room; null without one. */
  #positionOf(place: number): Vector | null {
    return placePanorama(this.#options.scene.room, place)?.position ?? null;
  }

  /** Before the events of a tick: elements of the previous place stay until the next panorama is drawn. */
  prepare(): void {
    const { place } = this.#options.scene;
    if (place !== this.current && (this.#stood ?? this.#positionOf(place))) this.#views.hold();
  }

  follow(event: PlaceEvent): void {
    const { place } = this.#options.scene;
    if (event.type === 'view_point') this.#goTo(event.element_id, event);
    // Other changes of the place come with another event.
    else if (event.type === 'camera_reset' || place !== this.current) this.#goTo(place);
  }

  /** Follows an edit of an element: of the current view point, or of one of its groups. */
  edited(elementId: number): void {
    const { current } = this;
    if (current === 0) return;
    const { elements } = this.#options.scene.room;
    if (elementId === current || ancestorsOf(elements, current).some(({ id }) => id === elementId)) this.update();
  }

  /** Shows edits of the room or of the current view point. */
  update(): void {
    const { room } = this.#options.scene;
    // The editor's camera has no limits.
    if (!this.#options.edit) this.#rig.configure(room);
    void this.#environment.update(room, this.current, () => this.#standAgain());
  }

  /** Moves the camera along with the current place. */
  #standAgain(): void {
    const { scene, edit } = this.#options;
    const before = this.#stood;
    const now = this.#positionOf(this.current);
    this.#stood = now;
    if (!edit) this.#rig.configure(scene.room, this.current);
    if (!now || (before && isSame(now, before))) return;
    // An editor may look at the place from elsewhere.
    const { context } = this.#views;
    if (edit && before && context.camera.position.distanceTo(before) > 1) return;
    this.#rig.standAt(now, null);
    context.invalidate();
  }

  /**
   * Goes to a view point. From and to a panorama, the camera stands there once it is drawn.
   * @param place id of the view point; 0 for none
   * @param move of the camera; undefined for the initial view
   */
  #goTo(place: number, move?: ViewPointEvent): void {
    const { scene, edit } = this.#options;
    const { context } = this.#views;
    const rig = this.#rig;
    const to = this.#positionOf(place);
    const isWaiting = this.current !== this.#drawn;
    this.current = place;
    const begun = () => {
      const isHere = this.#drawn === place;
      const jumps = Boolean(this.#stood ?? to);
      this.#drawn = place;
      this.#stood = to;
      if (!edit) rig.configure(scene.room, place);
      if (!move) rig.reset(!jumps && isHere);
      else if (jumps && !isHere) rig.standAt(move.position, move.target);
      else rig.moveTo(move.position, move.target ?? undefined, move.damping, !move.at_once);
      if (move?.fov) rig.zoomTo(move.fov);
      this.#views.release();
      context.invalidate();
    };
    // Without panoramas nothing has to load, and commands take effect in their order.
    if (!this.#stood && !to && !isWaiting) {
      begun();
      return;
    }
    const isCut = edit || move?.at_once || context.reducedMotion || context.isHeld();
    // Templates of earlier versions have no transition.
    const kind = this.#options.transition ?? scene.room.template?.config?.transition ?? 'zoom';
    void this.#environment.show(scene.room, place, { kind: isCut ? 'cut' : kind, begun });
  }
}
