import { Object3D } from 'three';
import type { SceneEvent } from '../../scene/scene.ts';
import type { StageContext } from '../context.ts';
import { MarkerSet } from './marker-set.ts';
import type { MarkerStyle } from './marker-shape.ts';
import { type NameLabel, NameLabels } from './name-labels.ts';

/** Markers of other visitors: instanced avatars or models, with name labels. */
export class Markers {
  readonly #context: StageContext;
  readonly #sets = new Map<string, MarkerSet>();
  readonly #object = new Object3D();
  readonly #labels: NameLabels;

  constructor(context: StageContext) {
    this.#context = context;
    this.#labels = new NameLabels(context);
    context.three.add(this.#object);
  }

  /** Appearance of visitors under a subject: configured by the room, or by the element that owns the subject. */
  #styleOf(subject: string): MarkerStyle {
    const { scene } = this.#context;
    const own = scene.entityOf(Number(subject.replace('position_', '')));
    const config = own === undefined ? scene.room.config : scene.elementOf(own)!.config;
    const file = own === undefined ? scene.room.config.realtime_file?.url : undefined;
    return { url: file ?? config.realtime_file_url, scale: config.realtime_scale, rotate: config.realtime_rotate };
  }

  /** Handles visitors who come and go. */
  tell(event: SceneEvent): void {
    if (event.type !== 'marker.added' && event.type !== 'marker.removed') return;
    let set = this.#sets.get(event.subject);
    if (!set) {
      set = new MarkerSet(this.#context, this.#object, this.#styleOf(event.subject), () => this.place());
      this.#sets.set(event.subject, set);
    }
    if (event.type === 'marker.added') set.ids.add(event.element_id);
    else set.ids.delete(event.element_id);
    if (set.ids.size === 0) {
      set.dispose();
      this.#sets.delete(event.subject);
    }
    this.place();
    this.#context.invalidate();
  }

  /** Updates marker positions from the scene. */
  place(): void {
    const labels: NameLabel[] = [];
    for (const set of this.#sets.values()) set.place(labels);
    this.#labels.place(labels);
  }

  dispose(): void {
    for (const set of this.#sets.values()) set.dispose();
    this.#labels.dispose();
    this.#context.three.remove(this.#object);
  }
}
