import { spaceBelow } from '../../../engine/document/arrangements/captions.ts';
import { hangOn, UNITS_PER_CENTIMETER } from '../../../engine/document/arrangements/hang.ts';
import { inRoom } from '../../../engine/document/arrangements/walls.ts';
import type { ElementFields } from '../../../engine/document/commands.ts';
import { STAND_OFF } from '../../../engine/document/constants.ts';
import type { ElementOf } from '../../../engine/document/element.ts';
import { fileSize } from '../../../engine/document/image-size.ts';
import { isInRoom } from '../../../engine/document/in-room.ts';
import { borderOfElement } from '../../../engine/document/outer-size.ts';
import type { Room } from '../../../engine/document/room.ts';
import { fieldsAt } from '../../../engine/tools/gestures/regroup.ts';
import type { ElementChange } from '../../../engine/tools/marks/shown-fields.ts';
import type { Editor } from '../session/editor-context.ts';
import type { HangSettings } from './hang-settings.ts';

type Image = ElementOf<'image'>;

/** The selected images that stand in the room, in the order of the tree. */
export function selectedImages({ document, selection }: Editor): Image[] {
  return document.room.elements.filter(
    (element): element is typeof element & Image =>
      element.element === 'image' && selection.has(element.id) && element.editable && isInRoom(element),
  );
}

/** Size of an image in units, and the fields that give it that size. */
function sized(image: Image, height: number | null): { width: number; height: number; fields: ElementFields } {
  const own = fileSize(image);
  const scale = { x: Math.abs(image.scale_x), y: Math.abs(image.scale_y) };
  if (height === null || own.height * scale.y === 0)
    return { width: own.width * scale.x, height: own.height * scale.y, fields: {} };
  const up = height * UNITS_PER_CENTIMETER;
  const by = up / (own.height * scale.y);
  const fields = { width: Math.round(own.width * by * 10) / 10, height: Math.round(own.height * by * 10) / 10 };
  return { width: fields.width * scale.x, height: fields.height * scale.y, fields };
}

/** Plans how images hang. @returns the changes, and the number of images that fit on no chosen wall */
export function hangImages(
  room: Room,
  images: readonly Image[],
  { wanted, options, height }: HangSettings,
): { changes: ElementChange[]; left: number } {
  const sizes = images.map((image) => sized(image, height));
  const works = images.map((image, nth) => {
    const { width, height } = sizes[nth]!;
    const border = 2 * borderOfElement(image, room.template);
    return {
      width: width + border * Math.abs(image.scale_x),
      height: height + border * Math.abs(image.scale_y),
      below: spaceBelow(image.config) * Math.abs(image.scale_y),
    };
  });
  const hung = hangOn(room, wanted, works, options, new Set(images.map(({ id }) => id)));
  const changes = images.flatMap((image, nth): ElementChange | never[] => {
    const place = hung[nth];
    if (!place) return [];
    const { wall, x, y } = place;
    const out = STAND_OFF + ((image.depth ?? 0) * Math.abs(image.scale_z)) / 2;
    const at = inRoom(wall, { x, y, z: out });
    const fields = { ...sizes[nth]!.fields, ...fieldsAt(room.elements, image, at, wall.turn) };
    return { id: image.id, fields };
  });
  return { changes, left: images.length - changes.length };
}
