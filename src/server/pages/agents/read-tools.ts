import { z } from 'zod';
import { BUDGETS, budgetFiles, type MediaFacts, roomBudget } from '../../../../engine/document/budget.ts';
import { differences, sentenceOf } from '../../../../engine/document/difference.ts';
import {
  descriptors,
  ELEMENT_TYPES,
  type ElementType,
  flatElementSchema,
  type NestedElement,
} from '../../../../engine/document/element.ts';
import { lintRoom } from '../../../../engine/document/lint/lint-room.ts';
import { parseRoom } from '../../../../engine/document/room.ts';
import { isTimeZone, localDay } from '../../../../engine/document/time-zone.ts';
import { type DayRow, playDay } from '../../../../engine/scene/play-day.ts';
import { startPose } from '../../../../engine/scene/start-pose.ts';
import { MEDIA_TYPES } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { WorkInPieces } from '../../core/work-in-pieces.ts';
import { type Content, data, type ToolContext, tool } from './tool.ts';

export const spaceId = z.int().positive().describe('Space ID.');
const found = {
  search: z.string().max(200).optional().describe('Words in the name.'),
  page: z.int().min(1).default(1),
};

/** Ids per request. */
const MAX_IDS = 100;
/** Heaviest elements in a budget. */
const HEAVIEST = 10;
/** Maximum ticks of a simulated visit: a day in steps of five seconds. */
const MAX_STEPS = 20_000;
/** Maximum events of a simulated visit. */
const MAX_EVENTS = 2000;

/** An element in an outline. */
const outlined = ({ id, element, name, hidden, children, ...rest }: NestedElement): object => ({
  id,
  element,
  name,
  ...(hidden && { hidden }),
  position: [rest.position_x, rest.position_y, rest.position_z],
  ...(rest.file_id !== null && { file_id: rest.file_id }),
  ...(children.length > 0 && { children: children.map(outlined) }),
});

function findIn(elements: readonly NestedElement[], id: number): NestedElement | undefined {
  for (const element of elements) {
    const inside = element.id === id ? element : findIn(element.children, id);
    if (inside) return inside;
  }
  return undefined;
}

/** Second of a day; undefined if it is malformed. */
function secondsOf(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  return hours * 3600 + minutes * 60 + seconds;
}

const time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/, 'Use a 24-hour time such as 19:55.');

/** An image of a space as it is now; without one, the latest, or the reason. */
export async function imageOf({ client, readFile, drawNow }: ToolContext, id: number): Promise<Content> {
  // Checks that the key may see the space.
  await client.rooms.readPoster({ params: { id } });
  const isCurrent = await drawNow(id);
  const poster = await client.rooms.readPoster({ params: { id } });
  const image = poster && (await readFile(poster.large_url));
  if (!poster || !image) return data({ image: null, reason: 'The server could not draw it. Ask again in a minute.' });
  const { updated_at: drawn_at, is_chosen } = poster;
  const { data: bytes, type } = image;
  return [
    ...data({ drawn_at, is_chosen, is_current: isCurrent && !is_chosen }),
    { type: 'image', data: bytes.toString('base64'), mimeType: type },
  ];
}

/** Tools that read. */
export const readTools = [
  tool({
    name: 'find_spaces',
    description: 'Lists spaces (rooms), 50 per page, with the structures that show them.',
    input: z.strictObject(found),
    reads: true,
    run: async ({ client }, query) => {
      const { data: rows, meta } = await client.rooms.list({ query });
      return data({ spaces: rows.map(({ policies: _, poster_url: __, ...row }) => row), pages: meta.last_page });
    },
  }),
  tool({
    name: 'find_structures',
    description: 'Lists structures: the public pages of spaces, and whether they show them as edited or as published.',
    input: z.strictObject({}),
    reads: true,
    run: async ({ client }) => data(await client.endpoints.list()),
  }),
  tool({
    name: 'find_templates',
    description: 'Lists templates: the surroundings of spaces.',
    input: z.strictObject(found),
    reads: true,
    run: async ({ client }, query) => {
      const { data: rows, meta } = await client.templates.list({ query });
      return data({ templates: rows.map(({ id, name }) => ({ id, name })), pages: meta.last_page });
    },
  }),
  tool({
    name: 'find_media',
    description: 'Lists files of the media library, 30 per page, newest first.',
    input: z.strictObject({ ...found, type: z.enum(MEDIA_TYPES).optional() }),
    reads: true,
    run: async ({ client }, { type, ...query }) => {
      const filters = type && Buffer.from(JSON.stringify([{ type }])).toString('base64');
      const { data: rows, last_page } = await client.media.list({ query: { ...query, filters } });
      const files = rows.map(({ id, name, type, width, height, duration, alt, title }) => ({
        ...{ id, name, type, width, height, duration, alt, title },
      }));
      return data({ files, pages: last_page });
    },
  }),
  tool({
    name: 'describe_elements',
    description: 'Lists the types of elements; with a type, returns the JSON Schema of its fields, with units.',
    input: z.strictObject({ type: z.enum(ELEMENT_TYPES).optional() }),
    reads: true,
    run: async (_, { type }) =>
      data(type ? schemaOf(type) : Object.entries(descriptors).map(([name, { label }]) => ({ name, label }))),
  }),
  tool({
    name: 'read_space',
    description:
      'Returns a space with its settings and an outline of its elements; with element_id, one element with all fields and children. Lengths are in units (100 per meter by default), the origin is the middle of the room, y points up, rotations are in radians.',
    input: z.strictObject({ space_id: spaceId, element_id: z.int().positive().optional() }),
    reads: true,
    run: async ({ client }, { space_id, element_id }) => {
      const {
        elements,
        template,
        policies: _,
        ...room
      } = await client.rooms.read({
        params: { id: space_id },
        query: { seq: '1' },
      });
      if (element_id === undefined)
        return data({ ...room, template: template?.name ?? null, elements: elements.map(outlined) });
      const element = findIn(elements, element_id);
      if (!element) throw new ApiError('not_found', `Element ${element_id} isn't in this space.`);
      return data(element);
    },
  }),
  tool({
    name: 'lint_space',
    description: 'Finds problems of a space: broken links, missing alternatives, clashing times and more.',
    input: z.strictObject({ space_id: spaceId }),
    reads: true,
    run: async ({ client, now }, { space_id }) =>
      data({ findings: lintRoom(await client.rooms.read({ params: { id: space_id } }), now / 1000) }),
  }),
  tool({
    name: 'budget_space',
    description: "Estimates what a space needs of a visitor's device, next to the limits of phones and desktops.",
    input: z.strictObject({ space_id: spaceId }),
    reads: true,
    run: async ({ client }, { space_id }) => {
      const room = parseRoom(await client.rooms.read({ params: { id: space_id } }));
      const facts = new Map<number, MediaFacts>();
      const ids = budgetFiles(room);
      for (let start = 0; start < ids.length; start += MAX_IDS) {
        const query = { ids: ids.slice(start, start + MAX_IDS).join(','), per_page: MAX_IDS };
        for (const file of (await client.media.list({ query })).data) facts.set(file.id, file);
      }
      const { totals, elements } = roomBudget(room, facts);
      return data({ totals, limits: BUDGETS, heaviest: elements.slice(0, HEAVIEST) });
    },
  }),
  tool({
    name: 'simulate_visit',
    description:
      'Plays a space without a browser and returns what happens at which time of day: what appears, starts, stops, is near. The visitor stands where the camera starts.',
    input: z.strictObject({
      space_id: spaceId,
      from: time.describe('Local time of entry, such as 19:55.'),
      to: time.describe('Local time until which the visitor stays.'),
      step: z.number().min(0.1).max(3600).default(1).describe('Seconds between two looks.'),
      time_zone: z.string().max(64).refine(isTimeZone, 'Use a zone such as Europe/Amsterdam.').default('UTC'),
      start: time.optional().describe('Start of the sequence of a timed room; the time of entry if omitted.'),
    }),
    reads: true,
    run: async ({ client, now }, { space_id, step, time_zone, start, ...times }) => {
      const room = parseRoom(await client.rooms.read({ params: { id: space_id } }));
      const clock = { time_zone, utc_offset: 0 };
      const [from, to] = [secondsOf(times.from), secondsOf(times.to)];
      const steps = ((to - from + 86_400) % 86_400) / step;
      if (steps > MAX_STEPS)
        throw new ApiError('invalid', { step: [`Use a larger step: at most ${MAX_STEPS} looks.`] });
      const begin = start === undefined ? undefined : secondsOf(start);
      const visit = { from, to, start: begin, step, clock, day: localDay(now / 1000, clock) };
      const events: DayRow[] = [];
      const work = new WorkInPieces();
      const pose = startPose(room);
      for (const rows of playDay(room, visit, () => pose)) {
        events.push(...rows);
        if (events.length > MAX_EVENTS) break;
        await work.pause();
      }
      return data({ events: events.slice(0, MAX_EVENTS), is_cut_off: events.length > MAX_EVENTS });
    },
  }),
  tool({
    name: 'compare_space',
    description: 'Lists the differences between a revision of a space and its current state.',
    input: z.strictObject({ space_id: spaceId, revision_id: z.int().positive() }),
    reads: true,
    run: async ({ client }, { space_id, revision_id }) => {
      const { room: before, room_id } = await client.revisions.read({ params: { id: revision_id } });
      if (room_id !== space_id) throw new ApiError('invalid', { revision_id: ['This revision is of another space.'] });
      const after = await client.rooms.read({ params: { id: space_id } });
      return data({ changes: differences(parseRoom(before), parseRoom(after)).map(sentenceOf) });
    },
  }),
  tool({
    name: 'publication_of_space',
    description: 'Returns what is published of a space, and the changes since.',
    input: z.strictObject({ space_id: spaceId }),
    reads: true,
    run: async ({ client }, { space_id }) => data(await client.publications.read({ params: { id: space_id } })),
  }),
  tool({
    name: 'review_proposal',
    description: 'Returns a proposal with the changes that merging it makes to its space. Only people merge proposals.',
    input: z.strictObject({ proposal_id: z.int().positive() }),
    reads: true,
    run: async ({ client }, { proposal_id }) => {
      const { element_ids: _, ...review } = await client.proposals.read({ params: { id: proposal_id } });
      return data(review);
    },
  }),
  tool({
    name: 'list_revisions',
    description: 'Lists the saved revisions of a space, newest first.',
    input: z.strictObject({ space_id: spaceId }),
    reads: true,
    run: async ({ client }, { space_id }) => data(await client.revisions.list({ params: { id: space_id } })),
  }),
  tool({
    name: 'image_of_space',
    description: 'Returns an image of a space, drawn as it is now. Takes some seconds after changes.',
    input: z.strictObject({ space_id: spaceId }),
    reads: true,
    run: async (context, { space_id }) => imageOf(context, space_id),
  }),
];

const schemas = new Map<ElementType, unknown>();

/** JSON Schema of the fields of an element type. */
function schemaOf(type: ElementType): unknown {
  const known = schemas.get(type);
  if (known) return known;
  const schema = flatElementSchema.options.find(({ shape }) => shape.element.value === type)!;
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  schemas.set(type, made);
  return made;
}
