import type { FlatElement } from '../../../engine/document/element.ts';
import type { Client } from '../../contract/client.ts';
import type { AdminRoom, ElementRow } from '../../contract/entities.ts';
import type { SaveTask } from './save-task.ts';

type AddBody = Parameters<Client['rooms']['addElement']>[0]['body'];
type UpdateBody = Parameters<Client['elements']['update']>[0]['body'];
type PositionBody = Parameters<Client['elements']['position']>[0]['body'];
type RoomBody = Parameters<Client['rooms']['update']>[0]['body'];

const POSITIONS = ['position_x', 'position_y', 'position_z'] as const;

/** What an element call takes of an element: not what the server fills in or gives itself. */
export function elementBodyOf(element: FlatElement): AddBody {
  const { id: _id, file: _file, visible_between: _window, ...fields } = element;
  const body: AddBody = { ...fields, config: { ...fields.config } };
  for (const name of POSITIONS) body[name] = Math.floor(fields[name]);
  return body;
}

/** What the server says after a task. */
export interface Answer {
  element?: ElementRow;
  room?: AdminRoom;
}

/**
 * Makes the call that a task stands for.
 * @param task in the server's ids
 * @param stamp version that the edit was made on, where versions matter
 * @throws ApiError, or whatever a connection that fails throws
 */
export async function sendTask(
  { rooms, elements }: Client,
  roomId: number,
  task: SaveTask,
  stamp?: string,
): Promise<Answer> {
  const version = stamp ? { updated_at: stamp } : {};
  switch (task.kind) {
    case 'add':
      return { element: await rooms.addElement({ params: { id: roomId }, body: elementBodyOf(task.element) }) };
    case 'update':
      return {
        element: await elements.update({
          params: { id: task.id },
          body: { ...(task.fields as UpdateBody), ...version },
        }),
      };
    case 'position':
      return { element: await elements.position({ params: { id: task.id }, body: task.fields as PositionBody }) };
    case 'hide':
      return { element: await elements.hide({ params: { id: task.id, hidden: task.hidden ? '1' : '0' } }) };
    case 'parent':
      return {
        element: await elements.update({ params: { id: task.id }, body: { parent_element_id: task.parent } }),
      };
    case 'order':
      await elements.reorder({ body: { sort: [...task.ids] } });
      return {};
    case 'remove':
      await elements.remove({ params: { id: task.id } });
      return {};
    case 'room':
      return {
        room: await rooms.update({ params: { id: roomId }, body: { ...(task.fields as RoomBody), ...version } }),
      };
  }
}
