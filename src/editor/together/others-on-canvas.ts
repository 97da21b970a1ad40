import { reaction } from 'mobx';
import type { Vector } from '../../../engine/document/fields.ts';
import type { EditTools } from '../../../engine/tools/edit-tools.ts';
import { type ElementChange, numbersOf } from '../../../engine/tools/marks/shown-fields.ts';
import { type Together, TogetherEncoder } from '../../../engine/tools/marks/together.ts';
import type { EditorPresence } from '../../contract/editor-messages.ts';
import type { CanvasStore } from '../canvas/canvas-store.ts';
import type { Editor } from '../session/editor-context.ts';
import type { SelectionStore } from '../session/selection-store.ts';
import { colorOf } from './editors-line.ts';

type Point = [number, number, number];

/** Maximum number of elements moved individually in a presence; more are sent as one transform or after the gesture. */
const MAX_MOVING = 50;
/** Polling interval in milliseconds for the pointer and moved elements. */
const EVERY = 100;
/** Distance in units from the camera to its sent target. */
const AHEAD = 100;

/** Keys that move the camera or the selection. */
const MOVES = /^(?:Arrow|[wasdqe]$)/i;

const pointOf = ({ x, y, z }: Vector): Point => [round(x), round(y), round(z)];
const vectorOf = ([x, y, z]: Point): Vector => ({ x, y, z });
const round = (value: number) => Math.round(value * 100) / 100;

/** Converts a combined move to its message. */
const sentOf = ({ gesture, ids, start, matrix }: Together): NonNullable<EditorPresence['together']> => ({
  gesture,
  ids: ids.map(([from, till]) => [from, till]),
  start: start.map(round) as Point,
  matrix: [...matrix],
});

/** Whether the user is moving an element. */
function heldBy(selection: SelectionStore, tools: EditTools): (id: number) => boolean {
  let ids: Set<number> | undefined;
  return (id) => {
    if (!selection.has(id)) return false;
    ids ??= new Set(tools.moving.map((each) => each.id));
    return ids.has(id);
  };
}

/**
 * Shows others' presence on the canvas, and sends the user's camera, pointer and moves.
 * @param surface element that the canvas fills
 * @returns a function that stops it
 */
export function showOthers(
  surface: HTMLElement,
  { document, line, follow, saving, selection }: Editor,
  store: CanvasStore,
): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  let at: { clientX: number; clientY: number } | null = null;
  let sent = '';
  let moving: readonly ElementChange[] = [];
  let together: Together | null = null;
  const encoder = new TogetherEncoder();

  const look = () => {
    const { stage, tools } = store;
    if (!stage || !tools || line.others.length === 0) return;
    const { camera } = stage;
    // After a gesture, moves stay in the presence until they are in the log.
    const shown = tools.moving;
    if (shown.length > 0 || saving.queue.waiting === 0) {
      moving = shown.length > MAX_MOVING ? [] : shown;
      if (shown.length > MAX_MOVING) together = encoder.encode(document.room.elements, shown);
      else {
        together = null;
        encoder.end();
      }
    }
    const eye = pointOf(camera.position);
    const direction = camera.getWorldDirection(camera.position.clone());
    const target = camera.position.clone().addScaledVector(direction, AHEAD);
    const presence = {
      camera: { position: eye, target: pointOf(target) },
      pointer: at && { from: eye, towards: pointOf(tools.spotAt(at.clientX, at.clientY).position) },
      moving: moving.map(({ id, fields }) => ({ id, fields: numbersOf(fields) })),
      together: together && sentOf(together),
    };
    const text = JSON.stringify(presence);
    if (text === sent) return;
    sent = text;
    line.send(presence);
  };
  const timer = setInterval(look, EVERY);

  surface.addEventListener('pointermove', ({ clientX, clientY }) => (at = { clientX, clientY }), { signal });
  surface.addEventListener('pointerleave', () => (at = null), { signal });
  const leave = () => follow.follow(null);
  surface.addEventListener('pointerdown', leave, { signal, capture: true });
  surface.addEventListener('wheel', leave, { signal, capture: true, passive: true });
  surface.addEventListener('keydown', ({ key }) => (MOVES.test(key) || key === 'Escape') && leave(), {
    signal,
    capture: true,
  });

  const stops = [
    reaction(
      () => [store.tools, line.others] as const,
      ([tools, others]) =>
        tools?.others.show(
          others.map(({ client, user, color, presence: { selection, pointer, moving, together } }) => ({
            key: client,
            name: user.name,
            color: colorOf(color),
            selection,
            pointer: pointer && { from: vectorOf(pointer.from), towards: vectorOf(pointer.towards) },
            moving,
            together,
          })),
          // The user's own gesture has priority over others' moves.
          heldBy(selection, tools),
        ),
      { fireImmediately: true },
    ),
    reaction(
      () => [store.tools, follow.followed?.presence.camera] as const,
      ([tools, camera]) => camera && tools?.camera.follow(vectorOf(camera.position), vectorOf(camera.target)),
      { fireImmediately: true },
    ),
  ];
  return () => {
    abort.abort();
    clearInterval(timer);
    for (const stop of stops) stop();
    line.send({ camera: null, pointer: null, moving: [], together: null });
  };
}
