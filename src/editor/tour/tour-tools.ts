import { makeAutoObservable } from 'mobx';
import type { RoomCommand } from '../../../engine/document/commands.ts';
import { type ElementOf, flatElementSchema } from '../../../engine/document/element.ts';
import { fileReference, type Vector } from '../../../engine/document/fields.ts';
import { type DrawnLine, headingTurn, levelOrientation, lineKind } from '../../../engine/document/orientation.ts';
import { type PlaceElement, positionInRoom } from '../../../engine/document/places.ts';
import { marksInFrame, planFrame, unmarkedPlaces, withMark } from '../../../engine/document/plan-edits.ts';
import { type PlanElement, type PlanPoint, plansOf } from '../../../engine/document/plans.ts';
import { type Hotspot, hotspotCopies, hotspotCopy, isHotspot } from '../../../engine/document/tour-edits.ts';
import type { Media } from '../../contract/entities.ts';
import { showDone, showNotification, showProblem, showProblemText } from '../../ui/notifications.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import type { Editor } from '../session/editor-context.ts';
import { drawPlan } from './draw-plan.ts';
import { type TourStore, tourOf } from './tour-store.ts';

/** A tool that takes points or lines on the panorama. */
type Picking =
  | { tool: 'align'; first: { place: PlaceElement; way: Vector } | null }
  | { tool: 'level'; lines: readonly DrawnLine[] };

/** Panels and dialogs of the tour view. */
export type TourPanel = 'check' | 'plan' | 'copy' | 'nadir';

/** Degrees to two decimals, as in the form. */
const degrees = (value: number) => Math.round(value * 100) / 100 || 0;

/** Tools of the tour view; each change is one history step. */
export class TourTools {
  readonly #editor: Editor;
  readonly tour: TourStore;
  picking: Picking | null = null;
  panel: TourPanel | null = null;
  /** ID of the floor shown in the plan; null for that of the current place, or else the first. */
  floorId: number | null = null;

  constructor(editor: Editor) {
    this.#editor = editor;
    this.tour = tourOf(editor);
    makeAutoObservable(this, { tour: false });
  }

  get #document() {
    return this.#editor.document;
  }

  get #elements() {
    return this.#document.room.elements;
  }

  show(panel: TourPanel | null): void {
    this.panel = panel;
    this.picking = null;
  }

  begin(tool: Picking['tool']): void {
    this.panel = null;
    this.picking = tool === 'align' ? { tool, first: null } : { tool, lines: [] };
  }

  stop(): void {
    this.picking = null;
  }

  #update(id: number, fields: Extract<RoomCommand, { type: 'element.update' }>['fields'], label: string): void {
    this.#document.run({ type: 'element.update', id, fields }, { label });
  }

  /** Takes a point picked at the current place: the first one, or the same one at another place. */
  pick(way: Vector): void {
    const { picking, tour } = this;
    const place = tour.find(tour.current);
    if (picking?.tool !== 'align' || !place) return;
    const { first } = picking;
    const known = first && tour.find(first.place.id);
    if (!first || !known || known.id === place.id) {
      this.picking = { tool: 'align', first: { place, way } };
      return;
    }
    const at = (one: PlaceElement) => positionInRoom(this.#elements, one);
    const turn = headingTurn({ position: at(known), way: first.way }, { position: at(place), way });
    const panorama_heading = degrees((place.config.panorama_heading + turn + 720) % 360);
    this.picking = null;
    this.#update(place.id, { config: { panorama_heading } }, `Align “${tour.nameOf(place)}”`);
    showDone(`“${tour.nameOf(place)}” is aligned with “${tour.nameOf(known)}”.`);
  }

  /** Takes a line drawn at the current place; the second one levels the horizon. */
  draw(from: Vector, to: Vector): void {
    const { picking, tour } = this;
    const place = tour.find(tour.current);
    if (picking?.tool !== 'level' || !place) return;
    const lines = [...picking.lines, { from, to, must: lineKind(from, to) }];
    if (lines.length < 2) {
      this.picking = { tool: 'level', lines };
      return;
    }
    const { panorama_heading: heading, panorama_pitch: pitch, panorama_roll: roll } = place.config;
    const found = levelOrientation({ heading, pitch, roll }, lines);
    if (!found) {
      this.picking = { tool: 'level', lines: [] };
      showProblemText('These lines are too short. Draw longer ones.');
      return;
    }
    this.picking = null;
    this.#update(
      place.id,
      { config: { panorama_pitch: degrees(found.pitch), panorama_roll: degrees(found.roll) } },
      `Level “${tour.nameOf(place)}”`,
    );
    showDone('Horizon leveled.');
  }

  /** The selected hotspots. */
  get hotspots(): Hotspot[] {
    return this.#editor.selection.elements.filter(isHotspot);
  }

  /** Copies the selected hotspots to places. */
  async copyHotspots(placeIds: ReadonlySet<number>): Promise<void> {
    const { hotspots, tour } = this;
    const copies = hotspotCopies(this.#elements, hotspots, placeIds);
    if (copies.length === 0) return showNotification('These hotspots are already at these places, or lead there.');
    const ids = await this.#editor.ids.taken(copies.length);
    if (!ids) return;
    this.#document.run(
      copies.map((copy, nth) => {
        const seenHere = tour.current !== null && copy.hotspot.visible_at.includes(tour.current);
        const from = seenHere ? tour.current! : copy.hotspot.visible_at[0];
        const element = hotspotCopy(this.#elements, copy, ids[nth]!, from);
        return { type: 'element.add', elements: [element], parent: null };
      }),
      { label: copies.length === 1 ? 'Copy hotspot' : `Copy hotspots to ${placeIds.size} places` },
    );
    showDone(copies.length === 1 ? '1 hotspot added.' : `${copies.length} hotspots added.`);
  }

  /** The nadir patch of all places. */
  get nadir(): ElementOf<'image'> | undefined {
    return this.#elements.find(
      (element): element is ElementOf<'image'> =>
        element.element === 'image' && element.config.appearance === 'nadir' && element.visible_at.length === 0,
    );
  }

  get nadirBlur(): number {
    return this.#document.room.config.nadir_blur;
  }

  /** Puts a logo of a diameter in degrees below all places; a file replaces the one before. */
  putNadir(nadir_angle: number, media: Media | null): void {
    const { nadir } = this;
    const file = media && { file: fileReference.parse(media), file_id: media.id };
    const config = { nadir_angle, ...(media && { file_url: media.url }) };
    if (nadir) {
      this.#update(nadir.id, { ...file, config }, 'Change the nadir patch');
      return;
    }
    const ids = media && this.#editor.ids.take();
    if (!ids) return;
    const element = flatElementSchema.parse({
      ...{ id: ids[0], element: 'image', name: 'Nadir patch', ...file },
      config: { ...config, appearance: 'nadir', decorative: true },
    });
    this.#document.run(
      { type: 'element.add', elements: [element], parent: null },
      { label: 'Add a nadir patch to all places' },
    );
  }

  removeNadir(): void {
    if (this.nadir)
      this.#document.run({ type: 'element.remove', id: this.nadir.id }, { label: 'Remove the nadir patch' });
  }

  setNadirBlur(nadir_blur: number): void {
    this.#document.run(
      { type: 'room.update', fields: { config: { nadir_blur } } },
      { label: nadir_blur === 0 ? 'Remove the nadir blur' : 'Blur the nadir' },
    );
  }

  /** The floors of the plan, in order. */
  get floors(): PlanElement[] {
    return plansOf(this.#elements);
  }

  /** The floor that is shown. */
  get floor(): PlanElement | undefined {
    const { floors, floorId, tour } = this;
    const marksCurrent = ({ config }: PlanElement) =>
      config.plan_marks.some(({ view_point_id }) => view_point_id === tour.current);
    return floors.find(({ id }) => id === floorId) ?? floors.find(marksCurrent) ?? floors[0];
  }

  showFloor(id: number): void {
    this.floorId = id;
  }

  /** The place that the next press on the plan puts there. */
  get nextPlace(): PlaceElement | undefined {
    return unmarkedPlaces(this.#elements)[0];
  }

  addFloor(media: Media, plan_marks: PlanElement['config']['plan_marks'] = []): void {
    const ids = this.#editor.ids.take();
    if (!ids) return;
    const name = this.floors.length === 0 ? 'Plan' : `Floor ${this.floors.length + 1}`;
    const element = flatElementSchema.parse({
      ...{ id: ids[0], element: 'image', name },
      ...{ file: fileReference.parse(media), file_id: media.id },
      config: { title: name, file_url: media.url, appearance: 'plan', plan_marks },
    });
    this.#document.run({ type: 'element.add', elements: [element], parent: null }, { label: `Add “${name}”` });
    this.floorId = ids[0]!;
  }

  /** Draws the tour from above as a floor with a mark of each place. */
  async drawFloor(): Promise<void> {
    const { stage } = canvasOf(this.#document);
    const { room } = this.#document;
    const frame = planFrame(room.elements);
    if (!stage || !frame) return;
    // From a place, the elements of others are hidden.
    this.tour.leave();
    try {
      const file = await drawPlan(room, frame, stage);
      if (!file) return showProblemText('The plan could not be drawn.');
      const media = await this.#editor.client.media.upload({ body: {}, files: { file } });
      this.addFloor(media, marksInFrame(this.#elements, frame));
    } catch (error) {
      showProblem(error);
    }
  }

  removeFloor(floor: PlanElement): void {
    this.floorId = null;
    this.#document.run({ type: 'element.remove', id: floor.id }, { label: `Delete “${floor.name}”` });
  }

  renameFloor(floor: PlanElement, name: string): void {
    if (name !== '' && name !== floor.name)
      this.#update(floor.id, { name, config: { title: name } }, `Rename “${floor.name}”`);
  }

  /** Puts a place at a point of a floor. */
  mark(floor: PlanElement, place: PlaceElement, point: PlanPoint): void {
    const plan_marks = withMark(floor.config.plan_marks, place.id, point);
    this.#update(floor.id, { config: { plan_marks } }, `Put “${this.tour.nameOf(place)}” on the plan`);
  }

  unmark(floor: PlanElement, placeId: number): void {
    const plan_marks = floor.config.plan_marks.filter(({ view_point_id }) => view_point_id !== placeId);
    this.#update(floor.id, { config: { plan_marks } }, 'Take a place off the plan');
  }
}

const stores = new WeakMap<Editor, TourTools>();

/** The tour tools of an editor. */
export function toolsOf(editor: Editor): TourTools {
  const store = stores.get(editor) ?? new TourTools(editor);
  stores.set(editor, store);
  return store;
}
