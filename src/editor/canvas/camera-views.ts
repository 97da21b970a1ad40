import { observable, observableRef, runInAction } from 'mobx';
import { z } from 'zod';
import type { ElementFields, RoomFields } from '../../../engine/document/commands.ts';
import type { ElementOf } from '../../../engine/document/element.ts';
import { vector } from '../../../engine/document/fields.ts';
import {
  type CameraView,
  startFields,
  startView,
  viewOfPoint,
  viewPointFields,
} from '../../../engine/tools/camera/camera-views.ts';
import { storedText } from '../../ui/storage.ts';
import type { DocumentStore } from '../session/document-store.ts';
import { canvasOf } from './canvas-store.ts';

/** Places that a bookmark can have. */
export const BOOKMARKS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

const viewsSchema = z.record(z.string().regex(/^[1-9]$/), z.object({ position: vector(), target: vector() }));
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

/** Views of a space that somebody comes back to, kept in this browser. */
class Bookmarks {
  readonly #stored;
  readonly #state: { views: Views };

  constructor(roomId: number) {
    this.#stored = storedText(`enfilade.camera-bookmarks:${roomId}`);
    this.#state = observable.object({ views: parse(this.#stored.get()) }, { views: observableRef });
  }

  /** The view that is kept at a place (observed). */
  at(place: number): CameraView | undefined {
    return this.#state.views[place];
  }

  store(place: number, { position, target }: CameraView): void {
    // Another window of this browser may have kept some meanwhile.
    const views = { ...parse(this.#stored.get()), [place]: { position: round(position), target: round(target) } };
    this.#stored.set(JSON.stringify(views));
    runInAction(() => (this.#state.views = views));
  }
}

const known = new Map<number, Bookmarks>();

/** The bookmarks of a space; one for each. */
export function bookmarksOf(roomId: number): Bookmarks {
  const bookmarks = known.get(roomId) ?? new Bookmarks(roomId);
  known.set(roomId, bookmarks);
  return bookmarks;
}

type ViewPoint = ElementOf<'view_point'>;

/** Stands where a view is seen from. */
export function showView(document: DocumentStore, view: CameraView | undefined): void {
  if (view) canvasOf(document).tools?.camera.follow(view.position, view.target);
}

/** Shows the room as visitors see it first. */
export const goToStart = (document: DocumentStore): void => showView(document, startView(document.room));

/** Shows the room as a view point shows it. */
export function goToViewPoint(document: DocumentStore, viewPoint: ViewPoint): void {
  const { stage } = canvasOf(document);
  showView(document, stage ? viewOfPoint(stage, viewPoint) : undefined);
}

/** What a view point would have to be to show what is seen now; undefined without a canvas. */
export function viewPointAsSeen(document: DocumentStore, viewPoint: ViewPoint): ElementFields | undefined {
  const { stage, tools } = canvasOf(document);
  return stage && tools ? viewPointFields(stage, viewPoint, tools.view) : undefined;
}

/** What the settings of the space would have to be for visitors to see first what is seen now. */
export function startAsSeen(document: DocumentStore): RoomFields | undefined {
  const { tools } = canvasOf(document);
  return tools ? startFields(document.room, tools.view) : undefined;
}

/** Has a view point show what is seen now. */
export function setViewPoint(document: DocumentStore, viewPoint: ViewPoint): void {
  const fields = viewPointAsSeen(document, viewPoint);
  if (fields)
    document.run(
      { type: 'element.update', id: viewPoint.id, fields },
      { label: `Set the view of “${viewPoint.name || viewPoint.config.name || 'View point'}”` },
    );
}

/** Has visitors see first what is seen now. */
export function setStart(document: DocumentStore): void {
  const fields = startAsSeen(document);
  if (fields) document.run({ type: 'room.update', fields }, { label: 'Set the start camera' });
}
