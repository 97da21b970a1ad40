import { reaction, runInAction } from 'mobx';
import { findElement } from '../../../engine/document/tree.ts';
import type { TransformMode } from '../../../engine/machines/transform.ts';
import { createEditableScene } from '../../../engine/scene/editable-scene.ts';
import { Stage } from '../../../engine/stage/stage.ts';
import { EditTools } from '../../../engine/tools/edit-tools.ts';
import { isFlat } from '../../../engine/tools/marks/bounds.ts';
import { showProblem } from '../../ui/notifications.ts';
import type { Editor } from '../session/editor-context.ts';
import { putMovedCopies } from '../session/element-actions.ts';
import { showOthers } from '../together/others-on-canvas.ts';
import { restAs } from './add-at.ts';
import type { CanvasStore } from './canvas-store.ts';

declare global {
  interface Window {
    /** The canvas of the editor, for the browser's console and for tests. */
    enfiladeCanvas?: CanvasStore;
  }
}

const VERBS: Record<TransformMode, string> = { translate: 'Move', rotate: 'Rotate', scale: 'Scale' };

/** Clock of the edited room, in milliseconds: time in it stands still. */
const STILL = () => 0;

/**
 * Renders the room of an editor into an element, and keeps it up to date with the document and the selection.
 * @returns a function that closes it
 */
export function openCanvas(surface: HTMLElement, editor: Editor, store: CanvasStore): () => void {
  const { document: room, selection } = editor;
  const scene = createEditableScene(room.room, { windowless: true });
  let stage: Stage;
  try {
    stage = new Stage({
      container: surface,
      scene,
      time: STILL,
      edit: true,
      font: editor.font,
      handlers: {
        firstFrame: () => runInAction(() => (store.state = 'ready')),
        ready: () => {
          surface.dataset.state = 'ready';
        },
        moved: ({ position, quaternion }) => {
          store.follow(position);
          store.turn(quaternion);
        },
        drawing: () => store.tools?.place(),
        event: (event) => store.tools?.follow(event),
        failed: (message, elementId) => {
          if (elementId === null) runInAction(() => (store.problem = message));
          else store.tools?.fail(elementId, message);
        },
        context: (state) =>
          runInAction(() => (store.problem = state === 'lost' ? 'Graphics were interrupted. Restoring…' : '')),
      },
    });
  } catch {
    scene.dispose();
    runInAction(() => {
      store.state = 'failed';
      store.problem = 'The canvas needs WebGL, which this browser does not offer.';
    });
    return () => undefined;
  }
  const nameOf = (id: number) => findElement(room.room.elements, id)?.name ?? '';
  const tools = new EditTools(stage, scene, surface, store.machine, {
    selected: (id) => selection.select(id),
    toggled: (id) => selection.toggle(id),
    boxed: (ids, joins) => selection.selectMany(joins ? [...selection.ids, ...ids] : ids),
    boxArmed: (isArmed) => runInAction(() => (store.isBoxArmed = isArmed)),
    hovered: (id) => {
      if (id !== selection.hoveredId) selection.hover(id);
    },
    transformed: (transform) => store.show(transform),
    ended: (changes, mode) =>
      room.run(
        changes.map(({ id, fields }) => ({ type: 'element.update', id, fields })),
        {
          label: `${VERBS[mode]} ${changes.length === 1 ? `“${nameOf(changes[0]!.id)}”` : `${changes.length} elements`}`,
        },
      ),
    copied: (changes) => void putMovedCopies(editor, changes).catch(showProblem),
    set: (command, property) =>
      room.run(command, {
        label:
          command.type === 'element.update'
            ? `Set the ${property} of “${nameOf(command.id)}”`
            : `Set the ${property} of the start camera`,
      }),
    projected: (isOrthographic) => runInAction(() => (store.isOrthographic = isOrthographic)),
    measuring: (isMeasuring) => runInAction(() => (store.isMeasuring = isMeasuring)),
  });
  tools.wheelNeedsAlt = store.wheelNeedsAlt;
  runInAction(() => Object.assign(store, { stage, tools }));
  store.follow(stage.pose.position);
  store.turn(stage.pose.quaternion);
  editor.place = (element, spot = tools.placing.ahead()) => {
    const { x, y, z } = tools.placing.positionOf(element, spot);
    const turn = isFlat(element) ? spot.turn : 0;
    return {
      element: { ...element, position_x: x, position_y: y, position_z: z, rotation_y: turn },
      rest: (step) => tools.placing.rest(element.id, spot, (changes) => restAs(room, changes, step)),
    };
  };
  window.enfiladeCanvas = store;
  const stops = [
    showOthers(surface, editor, store),
    room.onCommands((commands) => tools.patch(...commands)),
    reaction(
      () => selection.ids,
      (ids) => {
        if (ids.length === 0) store.show(null);
        tools.select(ids);
      },
      { fireImmediately: true },
    ),
    reaction(
      () => editor.drafts.isRoomOpen && !room.isReadOnly,
      (isOpen) => tools.showStart(isOpen),
      { fireImmediately: true },
    ),
    reaction(
      () => room.isReadOnly,
      (isReadOnly) => tools.setReadOnly(isReadOnly),
      { fireImmediately: true },
    ),
    reaction(
      () => selection.hoveredId,
      (id) => tools.hover(id),
    ),
  ];
  return () => {
    for (const stop of stops) stop();
    tools.dispose();
    stage.dispose();
    scene.dispose();
    runInAction(() =>
      Object.assign(store, {
        stage: null,
        tools: null,
        transform: null,
        state: 'loading',
        isOrthographic: false,
        isMeasuring: false,
      }),
    );
    if (window.enfiladeCanvas === store) window.enfiladeCanvas = undefined;
  };
}
