import { observable, observableRef, runInAction } from 'mobx';
import { z } from 'zod';
import type { ElementFields, RoomFields } from '../../../engine/document/commands.ts';
import type { ElementOf } from '../../../engine/document/element.ts';
import { vector } from '../../../engine/document/fields.ts';
import {
  type CameraView,
  portraitFields,
  type StartScreen,
  startFields,
  startView,
  viewOfPoint,
  viewPointFields,
} from '../../../engine/tools/camera/camera-views.ts';
import { storedText } from '../../ui/storage.ts';
import type { DocumentStore } from '../session/document-store.ts';
import { canvasOf } from './canvas-store.ts';

/** Slots for bookmarks. */
export const BOOKMARKS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

const viewsSchema = z.record(z.string().regex(/^[1-9]$/), z.object({ position: vector, target: vector }));
type Views = Readonly<Record<string, CameraView>>;

function parse(text: string | null): Views {
  try {
    return viewsSchema.parse(JSON.parse(text ?? '{}'));
  } catch {
    return {};
  }
}

const round = ({ x, y, z: depth }: CameraView['position']) => ({
  x: Math.round(x * 10) / 10,
  y: Math.round(y * 10) / 10,
  z: Math.round(depth * 10) / 10,
});

/** Bookmarked views of a space, stored in this browser. */
class Bookmarks {
  readonly #stored;
  readonly #state: { views: Views };

  constructor(roomId: number) {
    this.#stored = storedText(`enfilade.camera-bookmarks:${roomId}`);
    this.#state = observable.object({ views: parse(this.#stored.get()) }, { views: observableRef });
  }

  /** The view stored in a slot (observed). */
  at(place: number): CameraView | undefined {
    return this.#state.views[place];
  }

  store(place: number, { position, target }: CameraView): void {
    // Another window of this browser may have stored views meanwhile.
    const views = { ...parse(this.#stored.get()), [place]: { position: round(position), target: round(target) } };
    this.#stored.set(JSON.stringify(views));
    runInAction(() => (this.#state.views = views));
  }
}

const known = new Map<number, Bookmarks>();

/** The bookmarks of a space; one instance per space. */
export function bookmarksOf(roomId: number): Bookmarks {
  const bookmarks = known.get(roomId) ?? new Bookmarks(roomId);
  known.set(roomId, bookmarks);
  return bookmarks;
}

type ViewPoint = ElementOf<'view_point'>;

/** Moves the camera to a view. */
export function showView(document: DocumentStore, view: CameraView | undefined): void {
  if (view) canvasOf(document).tools?.camera.follow(view.position, view.target);
}

/** Shows the visitors' start view. */
export const goToStart = (document: DocumentStore, screen?: StartScreen): void =>
  showView(document, startView(document.room, screen));

/** Shows the view of a view point. */
export function goToViewPoint(document: DocumentStore, viewPoint: ViewPoint): void {
  const { stage } = canvasOf(document);
  showView(document, stage ? viewOfPoint(stage, viewPoint) : undefined);
}

/** Fields that would give a view point the current view; undefined without a canvas. */
export function viewPointAsSeen(document: DocumentStore, viewPoint: ViewPoint): ElementFields | undefined {
  const { stage, tools } = canvasOf(document);
  return stage && tools ? viewPointFields(stage, viewPoint, tools.view) : undefined;
}

/** Settings that would make the current view the visitors' start view. */
export function startAsSeen(document: DocumentStore, screen: StartScreen = 'landscape'): RoomFields | undefined {
  const { tools } = canvasOf(document);
  const fields = screen === 'portrait' ? portraitFields : startFields;
  return tools ? fields(document.room, tools.view) : undefined;
}

/** Sets a view point to the current view. */
export function setViewPoint(document: DocumentStore, viewPoint: ViewPoint): void {
  const fields = viewPointAsSeen(document, viewPoint);
  if (fields)
    document.run(
      { type: 'element.update', id: viewPoint.id, fields },
      { label: `Set the view of “${viewPoint.name || viewPoint.config.name || 'View point'}”` },
    );
}

/** Sets the visitors' start view to the current view. */
export function setStart(document: DocumentStore): void {
  const fields = startAsSeen(document);
  if (fields) document.run({ type: 'room.update', fields }, { label: 'Set the start camera' });
}
