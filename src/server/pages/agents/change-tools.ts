import { randomBytes, randomInt } from 'node:crypto';
import { z } from 'zod';
import {
  HANG_DEFAULTS,
  hangingCommands,
  idsNeeded,
  UNITS_PER_CENTIMETER,
} from '../../../../engine/document/arrangements/hang.ts';
import { LAYOUTS } from '../../../../engine/document/arrangements/layouts.ts';
import { wallsOf } from '../../../../engine/document/arrangements/walls.ts';
import { readCommand } from '../../../../engine/document/commands.ts';
import { differences, sentenceOf } from '../../../../engine/document/difference.ts';
import { isRecord } from '../../../../engine/document/field-paths.ts';
import { lintRoom } from '../../../../engine/document/lint/lint-room.ts';
import { remapElement, remapRoomConfig } from '../../../../engine/document/remap.ts';
import { parseRoom } from '../../../../engine/document/room.ts';
import { undoAll } from '../../../../engine/document/undo-of.ts';
import {
  MAX_COMMANDS,
  MAX_PROPOSALS,
  mediaTextsSchema,
  type ProposalReview,
  type RoomLogEntry,
  roomCommandSchema,
  type SentCommand,
  type SheetWork,
  withFileTexts,
} from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { asSent, planSheet, sendCommands } from '../../../contract/hanging.ts';
import { imageOf, spaceId } from './read-tools.ts';
import { type Content, clientOf, data, type ToolContext, tool, WORK_PAUSE } from './tool.ts';

/** Commands per call of the tool. */
const MAX_CHANGES = 200;
/** Works per call of the tool. */
const MAX_WORKS = 100;
/** Log entries that one undo looks at. */
const MAX_ENTRIES = 5000;
/** Log entries per request. */
const PER_PAGE = 200;
/** Findings in a result. */
const MAX_FINDINGS = 50;
/** Changes in a result. */
const MAX_SENTENCES = 200;

const task = z.string().max(120).default('').describe('Short name of the work, the same for all its changes.');
const image = z.boolean().default(false).describe('Whether to return an image of the result, too.');
const read = (client: ToolContext['client'], id: number) => client.rooms.read({ params: { id }, query: { seq: '1' } });

/** Space and task of a tool, and whether it returns an image. */
interface Asked {
  id: number;
  task: string;
  image: boolean;
}

/** Runs changes of a space, and reports them as sentences with the findings that they cause. */
async function reported(
  context: ToolContext,
  { id, image }: Pick<Asked, 'id' | 'image'>,
  work: () => Promise<object>,
): Promise<Content> {
  const { client, now } = context;
  const before = await read(client, id);
  const result = await work();
  const after = await read(client, id);
  const changes = differences(parseRoom(before), parseRoom(after)).map(sentenceOf);
  const known = new Set(lintRoom(before, now / 1000).map(({ code, message }) => `${code} ${message}`));
  const findings = lintRoom(after, now / 1000).filter(({ code, message }) => !known.has(`${code} ${message}`));
  const report = data({
    ...result,
    seq: after.seq,
    changes: changes.slice(0, MAX_SENTENCES),
    more_changes: Math.max(0, changes.length - MAX_SENTENCES),
    new_findings: findings.slice(0, MAX_FINDINGS),
  });
  return image ? [...report, ...(await imageOf(context, id))] : report;
}

/** Sent commands with references to elements mapped to other ids; those not in the map stay. */
function withOtherIds(commands: readonly SentCommand[], ids: ReadonlyMap<number, number>): SentCommand[] {
  const mapped = (id: number): number => ids.get(id) ?? id;
  const place = ({ parent, after }: { parent?: number | null; after?: number | null }) => ({
    ...(parent !== undefined && { parent: parent && mapped(parent) }),
    ...(after !== undefined && { after: after && mapped(after) }),
  });
  const branch = (element: Record<string, unknown>): Record<string, unknown> => ({
    ...remapElement(element, ids),
    ...(Array.isArray(element.children) && { children: element.children.map(branch) }),
  });
  return commands.map((command) => {
    switch (command.type) {
      case 'room.update': {
        const { config } = command.fields;
        return isRecord(config)
          ? { ...command, fields: { ...command.fields, config: remapRoomConfig(config, ids) } }
          : command;
      }
      case 'element.add':
        return { ...command, element: branch(command.element), ...place(command) };
      case 'element.update':
        return { ...command, id: mapped(command.id), fields: remapElement(command.fields, ids) };
      case 'element.move':
        return { ...command, id: mapped(command.id), ...place(command) };
      default:
        return { ...command, id: mapped(command.id) };
    }
  });
}

/** The open proposal of this key for a task, or a new one. */
async function proposalFor({ client, userId }: ToolContext, room_id: number, task: string): Promise<ProposalReview> {
  const name = task || 'Changes by an agent';
  const { data: open } = await client.proposals.list({ query: { room_id, state: 'open', per_page: MAX_PROPOSALS } });
  const own = open.find((each) => each.is_agent && each.user?.id === userId && each.name === name);
  if (own) return client.proposals.read({ params: { id: own.id } });
  return client.proposals.create({ params: { id: room_id }, body: { name, is_agent: true } });
}

/**
 * Changes a space; if visitors see it as it is edited and the key can't publish, changes a proposal for it instead.
 * @param work changes the space with this id; maps element ids of the original space
 */
async function changed(
  context: ToolContext,
  { id, task, image }: Asked,
  work: (id: number, ids: ReadonlyMap<number, number>) => Promise<object>,
): Promise<Content> {
  try {
    return await reported(context, { id, image }, () => work(id, new Map()));
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'forbidden') throw error;
    const { id: proposal_id, branch_id, element_ids } = await proposalFor(context, id, task);
    const ids = new Map(Object.entries(element_ids).map(([from, to]) => [Number(from), to]));
    return reported(context, { id: branch_id!, image }, async () => ({
      proposal: { proposal_id, space_id: branch_id, note: PROPOSED },
      ...(await work(branch_id!, ids)),
    }));
  }
}

const PROPOSED =
  'Visitors see the space as it is edited, and this key lacks the scope “publish”. The changes are in a proposal, which a person reviews and merges. Use its space_id to read and change it; its elements have their own IDs.';

/** Sends commands as one change of the log. */
const commit = (context: ToolContext, id: number, client: string, commands: SentCommand[]) =>
  context.client.rooms.commit({
    params: { id },
    // Numbers of a client are unique; concurrent calls of an agent don't share a counter.
    body: { client, mutation: randomInt(1, 2 ** 47), commands, origin: 'agent' },
  });

/** A piece of work in a log, newest first, and whether all of it was found. */
interface Work {
  entries: RoomLogEntry[];
  isComplete: boolean;
}

/** The entries of a task, or the last ones of this key without a longer pause. */
async function workOf(context: ToolContext, id: number, task: string): Promise<Work> {
  const { client, userId } = context;
  const agent = context.agentIn(id);
  const wanted = clientOf(context, id, task);
  const isOwn = ({ client: name, user }: RoomLogEntry) => {
    if (name === null || name === `${agent}-undo` || user?.id !== userId) return false;
    return task ? name === wanted || name.startsWith(`${wanted}-h`) : name.startsWith(agent);
  };
  const { seq } = await client.rooms.log({ params: { id }, query: { limit: 1 } });
  const entries: RoomLogEntry[] = [];
  let [before, seen] = [seq + 1, 0];
  while (before > 1) {
    if (seen >= MAX_ENTRIES) return { entries, isComplete: false };
    const page = await client.rooms.log({ params: { id }, query: { before, limit: PER_PAGE } });
    for (const entry of page.entries.toReversed()) {
      if (!isOwn(entry)) continue;
      const last = entries.at(-1);
      if (!task && last && Date.parse(last.at) - Date.parse(entry.at) > WORK_PAUSE)
        return { entries, isComplete: true };
      entries.push(entry);
    }
    seen += page.entries.length;
    before = page.entries[0]?.seq ?? 0;
  }
  return { entries, isComplete: true };
}

const cm = (what: string) => z.number().positive().max(10_000).optional().describe(`${what} in centimeters.`);

const hangingShape = {
  works: z
    .array(
      z.strictObject({
        file_id: z.int().positive().describe('Image in the media library.'),
        title: z.string().max(500).default(''),
        artist: z.string().max(500).default(''),
        year: z.string().max(100).default(''),
        text: z.string().max(10_000).default(''),
        width: cm('Width of the work'),
        height: cm('Height of the work'),
      }),
    )
    .min(1)
    .max(MAX_WORKS),
  walls: z.array(z.string().max(200)).optional().describe('IDs or names of walls; all if omitted.'),
  layout: z.enum(LAYOUTS).default('row'),
  gap: z.number().min(1).max(1000).default(HANG_DEFAULTS.gap).describe('Gap in centimeters.'),
  line: z.number().min(1).max(1000).default(HANG_DEFAULTS.line).describe('Height of the centers in centimeters.'),
};
const hangingSchema = z.strictObject(hangingShape);

/** Hangs works in a space. @returns their number, and problems */
async function hangWorks(
  context: ToolContext,
  { id, task, works, walls: wanted, layout, gap, line }: z.output<typeof hangingSchema> & { id: number; task: string },
): Promise<object> {
  const { client } = context;
  const room = parseRoom(await client.rooms.read({ params: { id } }));
  const all = wallsOf(room);
  const walls = wanted ? all.filter(({ id, name }) => wanted.includes(id) || wanted.includes(name)) : all;
  if (walls.length === 0)
    throw new ApiError('invalid', {
      walls: [`Walls of this space: ${all.map(({ id }) => id).join(', ') || 'none'}.`],
    });
  const ids = [...new Set(works.map(({ file_id }) => file_id))];
  const { data: files } = await client.media.list({ query: { ids: ids.join(','), per_page: MAX_WORKS } });
  const sheet = works.map(({ file_id, artist, year, width, height, ...work }, index): SheetWork => {
    const file = files.find(({ id, type }) => id === file_id && type === 'image');
    if (!file) throw new ApiError('invalid', { [`works.${index}.file_id`]: [`Image ${file_id} doesn't exist.`] });
    const size = { width: width ?? null, height: height ?? null };
    return withFileTexts(
      { ...work, row: index + 1, image: file.name, file, author: artist, date: year, ...size },
      file,
    );
  });
  const unit = UNITS_PER_CENTIMETER;
  const options = { layout, align: 'center', line: line * unit, gap: gap * unit, sizing: 'real' } as const;
  const { hanging: plan, works: hung, problems } = planSheet(room, walls, { works: sheet, notes: [] }, options);
  // Its requests count from 1, so their client must be new.
  const name = `${clientOf(context, id, task)}-h${randomBytes(4).toString('hex')}`;
  const sending = { roomId: id, name, count: idsNeeded(plan), origin: 'agent' } as const;
  await sendCommands(client, sending, (given) => hangingCommands(plan, given));
  return { hung: hung.filter((work) => work.hung !== null).length, problems };
}

/** Tools that change spaces and media. */
export const changeTools = [
  tool({
    name: 'create_space',
    description: 'Creates an empty space. Visitors see it only once a structure shows it.',
    input: z.strictObject({
      title: z.string().min(1).max(200),
      template_id: z.int().positive().nullable().optional().describe("The organization's default if omitted."),
      folder_id: z.int().positive().optional(),
      width: z.number().positive().optional().describe('Width, height and depth in units.'),
      height: z.number().positive().optional(),
      depth: z.number().positive().optional(),
    }),
    reads: false,
    run: async ({ client }, body) => {
      const { id, title, width, height, depth } = await client.rooms.create({ body });
      return data({ id, title, width, height, depth });
    },
  }),
  tool({
    name: 'copy_space',
    description: 'Copies a space with its elements.',
    input: z.strictObject({ space_id: spaceId }),
    reads: false,
    run: async ({ client }, { space_id }) => {
      const { id, title } = await client.rooms.copy({ params: { id: space_id } });
      return data({ id, title });
    },
  }),
  tool({
    name: 'change_space',
    description:
      'Applies commands to a space, all or none: add, update, remove or move elements, or update the space. `config` is merged one level deep. New elements may have negative IDs that later commands refer to. If visitors see the space as it is edited and the key cannot publish, the changes go to a proposal. Returns the changes in words and the new findings.',
    input: z.strictObject({
      space_id: spaceId,
      commands: z.array(roomCommandSchema).min(1).max(MAX_CHANGES),
      task,
      image,
    }),
    reads: false,
    run: async (context, { space_id, commands, task, image }) =>
      changed(context, { id: space_id, task, image }, async (id, known) => {
        const { ids } = await commit(context, id, clientOf(context, id, task), withOtherIds(commands, known));
        return { ids };
      }),
  }),
  tool({
    name: 'hang_works',
    description:
      'Hangs images on the walls of a space at their real size, with captions. Works that fit on no wall are returned as problems.',
    input: z.strictObject({ space_id: spaceId, ...hangingShape, task, image }),
    reads: false,
    run: async (context, { space_id, task, image, ...asked }) =>
      changed(context, { id: space_id, task, image }, (id) => hangWorks(context, { id, task, ...asked })),
  }),
  tool({
    name: 'propose_changes',
    description:
      'Creates a proposal: a copy of a space that a person reviews and merges. Change the space with the returned space_id.',
    input: z.strictObject({
      space_id: spaceId,
      name: z.string().min(1).max(120),
      note: z.string().max(5000).default('').describe('Reason for the changes.'),
    }),
    reads: false,
    run: async ({ client }, { space_id, name, note }) => {
      const body = { name, note, is_agent: true };
      const { id, branch_id } = await client.proposals.create({ params: { id: space_id }, body });
      return data({ proposal_id: id, space_id: branch_id });
    },
  }),
  tool({
    name: 'undo_work',
    description:
      'Undoes the last piece of work of this key in a space, or all of a task. What somebody else has changed since stays.',
    input: z.strictObject({ space_id: spaceId, task, image }),
    reads: false,
    run: async (context, { space_id, task, image }) => {
      const { client } = context;
      const undo = `${context.agentIn(space_id)}-undo`;
      const { entries, isComplete } = await workOf(context, space_id, task);
      if (entries.length === 0) throw new ApiError('invalid', 'There is no work of this key in the log of this space.');
      const room = parseRoom(await client.rooms.read({ params: { id: space_id } }));
      const done = entries.map(({ commands, inverses }) => ({
        commands: commands.map(readCommand),
        inverses: inverses.map(readCommand),
      }));
      const { commands, kept } = undoAll(done, room);
      return reported(context, { id: space_id, image }, async () => {
        for (let start = 0; start < commands.length; start += MAX_COMMANDS)
          await commit(context, space_id, undo, commands.slice(start, start + MAX_COMMANDS).map(asSent));
        return { undone: entries.length, kept, is_complete: isComplete };
      });
    },
  }),
  tool({
    name: 'save_revision',
    description: 'Saves the current state of a space as a named revision.',
    input: z.strictObject({ space_id: spaceId, name: z.string().min(1).max(120) }),
    reads: false,
    run: async ({ client }, { space_id, name }) =>
      data(await client.revisions.create({ params: { id: space_id }, body: { name } })),
  }),
  tool({
    name: 'upload_file',
    description:
      'Returns a URL for one upload within 15 minutes: send the content of the file with PUT. Its response is the file in the media library.',
    input: z.strictObject({ name: z.string().min(1).max(200), folder_id: z.int().positive().optional() }),
    reads: false,
    run: async ({ uploadUrl }, { name, folder_id }) => data({ method: 'PUT', ...(await uploadUrl(name, folder_id)) }),
  }),
  tool({
    name: 'describe_file',
    description: 'Sets texts of a file: title, alternative text, creator, credit, keywords and others.',
    input: mediaTextsSchema.partial().extend({ file_id: z.int().positive() }),
    reads: false,
    run: async ({ client }, { file_id, ...body }) => {
      const { id, name, title, alt } = await client.media.update({ params: { id: file_id }, body });
      return data({ id, name, title, alt });
    },
  }),
  tool({
    name: 'publish_space',
    description: 'Publishes a space as it is now. Needs a key with the scope `publish`.',
    input: z.strictObject({ space_id: spaceId }),
    reads: false,
    run: async ({ client }, { space_id }) =>
      data(await client.publications.publish({ params: { id: space_id }, body: {} })),
  }),
];
