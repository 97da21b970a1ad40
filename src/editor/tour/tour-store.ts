import { makeAutoObservable } from 'mobx';
import type { RoomCommand } from '../../../engine/document/commands.ts';
import { fileReference, type Vector } from '../../../engine/document/fields.ts';
import { type PlaceElement, placesOf, positionInRoom } from '../../../engine/document/places.ts';
import {
  doorElement,
  type MissingLink,
  missingLinks,
  placeName,
  type TourLinks,
  wayBetween,
} from '../../../engine/document/tour-edits.ts';
import { linkedViewPoint, tourLinks } from '../../../engine/document/tour-links.ts';
import { branchOf, topmost } from '../../../engine/document/tree.ts';
import type { Media } from '../../contract/entities.ts';
import { panoramaProblem } from '../../contract/template-file.ts';
import { showDone, showNotification, showProblemText } from '../../ui/notifications.ts';
import { moved } from '../../ui/sortable/SortableList.tsx';
import { canvasOf } from '../canvas/canvas-store.ts';
import { asBranch } from '../session/copies.ts';
import type { Editor } from '../session/editor-context.ts';
import { putCopies } from '../session/element-actions.ts';

/** Data type of dragged places; the data is the ID. */
export const PLACE_TYPE = 'application/x-enfilade-place';
/** Distance in units of the point that a view looks at. */
const SIGHT = 1000;

/** Number of links from a place, of those without a way back, and of links that lead there. */
interface PlaceLinks {
  count: number;
  oneWay: number;
  coming: number;
}

const update = (id: number, fields: Extract<RoomCommand, { type: 'element.update' }>['fields']): RoomCommand => ({
  type: 'element.update',
  id,
  fields,
});

/** The places of the edited tour, and the one where the editor stands. */
export class TourStore {
  readonly #editor: Editor;
  /** ID of the place where the editor stands; null for none. */
  current: number | null = null;
  /** Whether the strip of places is open; null until the user decides. */
  wanted: boolean | null = null;

  constructor(editor: Editor) {
    this.#editor = editor;
    makeAutoObservable(this);
  }

  get #document() {
    return this.#editor.document;
  }

  get places(): PlaceElement[] {
    return placesOf(this.#document.room.elements);
  }

  /** Open at first in tours, which have at least two places. */
  get isOpen(): boolean {
    return this.wanted ?? this.places.length > 1;
  }

  toggle(): void {
    this.wanted = !this.isOpen;
    if (!this.wanted) this.leave();
  }

  nameOf(place: PlaceElement): string {
    return placeName(this.places, place);
  }

  find(id: number | null): PlaceElement | undefined {
    return this.places.find((place) => place.id === id);
  }

  /** Links of the places by ID: how many lead on, how many of these have no way back, and how many lead there. */
  get links(): ReadonlyMap<number, PlaceLinks> {
    const links = tourLinks(this.#document.room.elements);
    const known = new Set(links.map(({ from, to }) => `${from} ${to}`));
    const found = new Map(this.places.map(({ id }) => [id, { count: 0, oneWay: 0, coming: 0 }]));
    for (const { from, to } of links) {
      const [here, there] = [found.get(from)!, found.get(to)!];
      here.count++;
      there.coming++;
      if (!known.has(`${to} ${from}`)) here.oneWay++;
    }
    return found;
  }

  linksOf(id: number): PlaceLinks {
    return this.links.get(id) ?? { count: 0, oneWay: 0, coming: 0 };
  }

  /** Stands at a place: the canvas shows its panorama and its elements. */
  stand(id: number): void {
    const { stage, tools } = canvasOf(this.#document);
    if (!stage || !this.find(id)) return;
    this.current = id;
    tools?.camera.stand(true);
    stage.send({ type: 'go_to', element_id: id, at_once: true });
  }

  /** Goes back to the whole room. */
  leave(): void {
    if (this.current === null) return;
    const { stage, tools } = canvasOf(this.#document);
    this.current = null;
    tools?.camera.stand(false);
    stage?.send({ type: 'camera.reset' });
  }

  /** Moves a place to a position in the order. */
  move(from: number, to: number): void {
    const commands = moved(this.places, from, to).flatMap((place, order_rank) =>
      place.config.order_rank === order_rank ? [] : [update(place.id, { config: { order_rank } })],
    );
    this.#document.run(commands, { label: 'Reorder places' });
  }

  rename(place: PlaceElement, name: string): void {
    if (name !== '' && name !== place.config.name)
      this.#document.run(update(place.id, { name, config: { name } }), { label: `Rename “${this.nameOf(place)}”` });
  }

  get startId(): number | null {
    return this.#document.room.config.start_view_point_id;
  }

  setStart(place: PlaceElement): void {
    this.#document.run(
      { type: 'room.update', fields: { config: { start_view_point_id: place.id } } },
      { label: `Start at “${this.nameOf(place)}”` },
    );
  }

  /** Makes visitors look in the current direction when they come to a place. */
  setFirstView(place: PlaceElement): void {
    const { stage } = canvasOf(this.#document);
    if (!stage) return;
    const at = positionInRoom(this.#document.room.elements, place);
    const { x, y, z } = this.#ahead();
    const target_position = {
      x: Math.round(at.x + x * SIGHT),
      y: Math.round(at.y + y * SIGHT),
      z: Math.round(at.z + z * SIGHT),
    };
    this.#document.run(update(place.id, { config: { arrival_view: 'set', target_position } }), {
      label: `Set the first view of “${this.nameOf(place)}”`,
    });
    showDone('First view set.');
  }

  /** The direction in which the camera looks. */
  #ahead(): Vector {
    const { stage } = canvasOf(this.#document);
    const { x, y, z, w } = stage!.pose.quaternion;
    return { x: -2 * (x * z + w * y), y: -2 * (y * z - w * x), z: -(1 - 2 * (x * x + y * y)) };
  }

  /** Replaces the photo of a place; links, name and position stay. */
  replacePhoto(place: PlaceElement, media: Media): void {
    const problem = panoramaProblem(media);
    if (problem) {
      showProblemText(problem);
      return;
    }
    this.#document.run(
      update(place.id, { file: fileReference.parse(media), file_id: media.id, config: { file_url: media.url } }),
      {
        label: `Replace the photo of “${this.nameOf(place)}”`,
      },
    );
  }

  async duplicate(place: PlaceElement): Promise<void> {
    const { elements } = this.#document.room;
    await putCopies(this.#editor, asBranch(branchOf(elements, place.id)), {
      behind: 'each',
      at: 'same',
      label: `Duplicate “${this.nameOf(place)}”`,
    });
  }

  /**
   * Deletes a place as one step, with the elements visible only there and the hotspots that lead there. Other elements stay: their
   * links to it end, and they are no longer limited to it.
   */
  remove(place: PlaceElement): void {
    const { room } = this.#document;
    const gone = new Set([place.id]);
    const changed: RoomCommand[] = [];
    for (const element of room.elements) {
      if (element.id === place.id) continue;
      const visible_at = element.visible_at.filter((id) => id !== place.id);
      const isLimited = visible_at.length < element.visible_at.length;
      const leads = linkedViewPoint(element) === place.id;
      const isHotspot = element.element === 'button' && element.config.appearance === 'hotspot';
      if ((isLimited && visible_at.length === 0) || (leads && isHotspot)) gone.add(element.id);
      else if (isLimited || leads)
        changed.push(
          update(element.id, {
            ...(isLimited && { visible_at }),
            ...(leads && { config: { navigation: { type: 'disabled', type_config: {} } } }),
          }),
        );
    }
    // Elements that disappear with their group must not be removed twice.
    const tops = topmost(room.elements, gone);
    const next = this.places.find(({ id }) => id !== place.id);
    if (this.current === place.id) {
      if (next) this.stand(next.id);
      else this.leave();
    }
    const start = { type: 'room.update', fields: { config: { start_view_point_id: next?.id ?? null } } } as const;
    this.#document.run(
      [
        ...(this.startId === place.id ? [start] : []),
        ...changed,
        ...tops.map(({ id }) => ({ type: 'element.remove' as const, id })),
      ],
      { label: `Delete “${this.nameOf(place)}”` },
    );
  }

  #add(links: readonly (MissingLink & { way: Vector })[], ids: readonly number[], label: string): void {
    const { elements } = this.#document.room;
    this.#document.run(
      links.map((link, nth) => ({
        type: 'element.add',
        elements: [
          doorElement(ids[nth]!, {
            from: { id: link.from.id, position: positionInRoom(elements, link.from) },
            to: { id: link.to.id, name: this.nameOf(link.to) },
            way: link.way,
          }),
        ],
        parent: null,
      })),
      { label },
    );
  }

  /**
   * Adds a hotspot at the current place that leads to another one, and offers the way back.
   * @param way direction of the hotspot; the center of the view if omitted
   */
  link(toId: number, way: Vector = this.#ahead()): void {
    const [from, to] = [this.find(this.current), this.find(toId)];
    const ids = from && to && from !== to ? this.#editor.ids.take() : null;
    if (!from || !to || !ids) return;
    this.#add([{ from, to, way }], ids, `Link “${this.nameOf(from)}” to “${this.nameOf(to)}”`);
    this.#editor.selection.select(ids[0]!);
    const isMissing = () => {
      const { elements } = this.#document.room;
      return !tourLinks(elements).some((link) => link.from === to.id && link.to === from.id);
    };
    if (!isMissing()) return;
    showNotification(`Link to “${this.nameOf(to)}” added.`, {
      label: 'Add link back',
      isValid: isMissing,
      act: () => {
        const back = this.#editor.ids.take();
        // Where both were photographed tells the direction; otherwise, back is behind the visitor.
        const { elements } = this.#document.room;
        const [here, there] = [positionInRoom(elements, from), positionInRoom(elements, to)];
        const isKnown = Math.hypot(here.x - there.x, here.z - there.z) >= 1;
        const backWay = isKnown ? wayBetween(there, here) : { x: -way.x, y: way.y, z: -way.z };
        if (back) this.#add([{ from: to, to: from, way: backWay }], back, `Link “${this.nameOf(to)}” back`);
      },
    });
  }

  /** Adds the missing links of a proposal as one step. */
  async propose(proposal: TourLinks): Promise<void> {
    const links = missingLinks(this.#document.room.elements, proposal);
    if (links.length === 0) return showNotification('These links already exist.');
    await this.addLinks(links);
  }

  /** Adds links as one step, in the directions in which the places were photographed. */
  async addLinks(links: readonly MissingLink[]): Promise<void> {
    if (links.length === 0) return;
    const { elements } = this.#document.room;
    const ids = await this.#editor.ids.taken(links.length);
    if (!ids) return;
    const ways = links.map((link) => ({
      ...link,
      way: wayBetween(positionInRoom(elements, link.from), positionInRoom(elements, link.to)),
    }));
    this.#add(ways, ids, `Add ${links.length} links`);
    showDone(links.length === 1 ? '1 link added.' : `${links.length} links added.`);
  }

  /** Direction in the room of a point on the canvas. */
  directionAt(clientX: number, clientY: number): Vector | undefined {
    const { stage } = canvasOf(this.#document);
    if (!stage) return undefined;
    const { left, top, width, height } = stage.canvas.getBoundingClientRect();
    const [x, y] = [((clientX - left) / width) * 2 - 1, 1 - ((clientY - top) / height) * 2];
    const { projectionMatrixInverse: p, quaternion } = stage.camera;
    // A point on the near plane in camera space, rotated into the room.
    const ray = stage.camera.position.clone().set(x, y, -1).applyMatrix4(p).applyQuaternion(quaternion).normalize();
    return { x: ray.x, y: ray.y, z: ray.z };
  }
}

const stores = new WeakMap<Editor, TourStore>();

/** The tour of an editor. */
export function tourOf(editor: Editor): TourStore {
  const store = stores.get(editor) ?? new TourStore(editor);
  stores.set(editor, store);
  return store;
}
