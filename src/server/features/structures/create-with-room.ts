import type { z } from 'zod';
import { cameraSchema } from '../../../../engine/document/camera.ts';
import type { Element } from '../../../../engine/document/element.ts';
import { roomConfigSchema } from '../../../../engine/document/room-config.ts';
import { withKeys } from '../../../../engine/document/sibling-keys.ts';
import type { calls } from '../../../contract/calls.ts';
import { nextTimestamp } from '../../core/clock.ts';
import type { Database } from '../../core/db/database.ts';
import { cleanNow } from '../../core/files/workers/clean-ahead.ts';
import type { CallContext } from '../../core/http/call-context.ts';
import { createCodes } from '../access-tokens/create-tokens.ts';
import { firstCodes } from '../access-tokens/queries.ts';
import { createEndpoint } from '../endpoints/service.ts';
import { checkElementFile, readElement } from '../rooms/checks.ts';
import { createRoomIn, defaultTemplate, fromTemplate, storeElements } from '../rooms/create-room.ts';
import { createTemplateIn } from '../templates/service.ts';
import { requireRight } from '../users/rights.ts';

type Body = z.output<typeof calls.endpoints.createWithRoom.body>;

/** Lets visitors look around and zoom in a space with content. */
const LOOK_AROUND = { rotate: true, rotate_left_button: true, zoom: true } as const;

/** Limit on access tokens in the response. */
const MAX_REPORTED_TOKENS = 100;

/** The images of a new space as elements with temporary ids. */
const elementsOf = (images: Body['images']): Element[] =>
  images.map((image, index) => readElement({ ...image, element: 'image', id: index + 1 }, cleanNow));

/**
 * Adds a structure, its space and dependent data, all or nothing.
 * @returns both ids, and the first access tokens
 * @throws ApiError with the invalid fields: those of the structure unprefixed, the others under `room`, `template`,
 * `elements` or `tokens`
 */
export async function createWithRoom(
  context: CallContext,
  body: Body,
): Promise<{ endpointId: number; roomId: number; tokens: string[] }> {
  const { organizationId, clock } = context;
  const { endpoint, template, tokens } = body;
  const { title, template_id: known, position, angle } = body.room;
  requireRight(context, 'endpoints', 'create');
  requireRight(context, 'rooms', 'create');
  if (template) requireRight(context, 'templates', 'create');
  if (tokens) requireRight(context, 'access_tokens', 'create');
  const elements = elementsOf(body.images);
  let roomId = 0;
  const addRoom = async (db: Database) => {
    const shell = template && { name: title, ...template, config: { camera: cameraSchema.parse(LOOK_AROUND) } };
    const template_id = shell ? await createTemplateIn(db, context, shell) : known;
    const base = await fromTemplate(
      db,
      organizationId,
      template_id === undefined ? await defaultTemplate(db, organizationId) : template_id,
    );
    const { camera } = roomConfigSchema.parse(base.config);
    const turns = elements.length > 0 ? LOOK_AROUND : {};
    const config = { camera: { ...camera, ...turns, ...(position && { position }), ...(angle && { angle }) } };
    roomId = await createRoomIn(
      db,
      context,
      {
        title,
        ...(template_id !== undefined && { template_id }),
        ...((position || angle || elements.length > 0) && { config }),
      },
      cleanNow,
    );
    for (const element of elements) await checkElementFile(db, organizationId, element);
    if (elements.length > 0)
      await storeElements(db, { organizationId, roomId, at: nextTimestamp(clock) }, withKeys(elements));
    return roomId;
  };
  const addTokens = async (db: Database, endpointId: number) => {
    if (!tokens) return {};
    const duration = endpoint.access_token_duration ?? null;
    const at = nextTimestamp(clock);
    await createCodes(db, { organizationId, endpointId, duration, validFrom: null, validTill: null, at }, tokens);
    return { access_tokens: tokens.count };
  };
  const endpointId = await createEndpoint(
    context,
    { ...endpoint, room_id: null },
    { room: addRoom, belongings: addTokens },
  );
  return { endpointId, roomId, tokens: tokens ? await firstCodes(context.db, endpointId, MAX_REPORTED_TOKENS) : [] };
}
