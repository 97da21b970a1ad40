import { placesOf, positionInRoom } from '../../../engine/document/places.ts';
import { linesInFrame, type PlanFrame, pointInFrame } from '../../../engine/document/plan-edits.ts';
import type { Room } from '../../../engine/document/room.ts';
import type { Stage } from '../../../engine/stage/stage.ts';

/** Longer side of a drawn plan in pixels. */
const SIZE = 1400;
const COLORS = { paper: '#f4f2ec', line: '#b9b3a6', place: '#ffffff', rim: '#5c6672' } as const;

/** Whether the room has something to draw from above besides its panoramas. */
export const hasGeometry = ({ template, elements }: Room): boolean =>
  (template?.model_type === 'model' && template.file !== null) ||
  elements.some(({ element, hidden }) => element === 'model' && !hidden);

const asBlob = (canvas: HTMLCanvasElement) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', 0.92));

/** Places as discs, and links between them as lines: the plan of a tour without geometry. */
function drawSchematic({ elements }: Room, frame: PlanFrame): HTMLCanvasElement {
  const scale = SIZE / Math.max(frame.width, frame.depth);
  const [width, height] = [Math.round(frame.width * scale), Math.round(frame.depth * scale)];
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d')!;
  context.fillStyle = COLORS.paper;
  context.fillRect(0, 0, width, height);
  context.lineWidth = SIZE / 120;
  context.lineCap = 'round';
  context.strokeStyle = COLORS.line;
  for (const [from, to] of linesInFrame(elements, frame)) {
    context.beginPath();
    context.moveTo(from.x * width, from.y * height);
    context.lineTo(to.x * width, to.y * height);
    context.stroke();
  }
  context.lineWidth = SIZE / 280;
  context.fillStyle = COLORS.place;
  context.strokeStyle = COLORS.rim;
  for (const place of placesOf(elements)) {
    const { x, y } = pointInFrame(frame, positionInRoom(elements, place));
    context.beginPath();
    context.arc(x * width, y * height, SIZE / 60, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  }
  return canvas;
}

/** Draws the plan of a room from above as an image file; null if it can't be drawn. */
export async function drawPlan(room: Room, frame: PlanFrame, stage: Stage): Promise<File | null> {
  let canvas: HTMLCanvasElement | null;
  if (hasGeometry(room)) {
    const { drawTopView } = await import('../../../engine/tools/camera/top-view.ts');
    const { width, height } = stage.canvas;
    canvas = await drawTopView(stage, frame, Math.floor(Math.min(width, (height * frame.width) / frame.depth, SIZE)));
  } else canvas = drawSchematic(room, frame);
  const blob = canvas && (await asBlob(canvas));
  return blob && new File([blob], 'plan.webp', { type: blob.type });
}
