import type { ElementFields, RoomFields } from '../../../engine/document/commands.ts';
import type { ElementOf } from '../../../engine/document/element.ts';
import {
  type CameraView,
  startFields,
  startView,
  viewOfPoint,
  viewPointFields,
} from '../../../engine/tools/camera/camera-views.ts';
import type { DocumentStore } from '../session/document-store.ts';
import { canvasOf } from './canvas-store.ts';

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
