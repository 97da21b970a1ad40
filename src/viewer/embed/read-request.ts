import type { EmbedPoint, EmbedRequest } from '../../contract/embed-messages.ts';

/** Longest texts that are taken, in characters: of names, and of a dialog's HTML. */
const MAX_REQUEST_TEXT = { name: 500, content: 200_000 };

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isText = (value: unknown, longest = MAX_REQUEST_TEXT.name): value is string =>
  typeof value === 'string' && value.length <= longest;
const isPoint = (value: unknown): value is EmbedPoint =>
  isObject(value) && isNumber(value.x) && isNumber(value.y) && isNumber(value.z);
const isAbsent = (value: unknown) => value === undefined || value === null;

/** What each command has to bring, by its type. */
const CHECKS: Record<EmbedRequest['type'], (fields: Fields) => boolean> = {
  connect: () => true,
  view_point: ({ id }) => isNumber(id),
  camera: ({ position, target }) =>
    (isPoint(position) || isPoint(target)) && [position, target].every((each) => isAbsent(each) || isPoint(each)),
  'camera.reset': () => true,
  media: ({ element_id, action, value }) =>
    action === 'mute' || action === 'unmute'
      ? isAbsent(element_id) || isNumber(element_id)
      : isNumber(element_id) && (action === 'play' || action === 'pause' || (action === 'seek' && isNumber(value))),
  navigate: ({ slug_one, slug_two }) => isText(slug_one) && slug_one !== '' && (isAbsent(slug_two) || isText(slug_two)),
  modal: ({ url, content, title }) =>
    (isText(url, MAX_REQUEST_TEXT.content) || isText(content, MAX_REQUEST_TEXT.content)) &&
    (isAbsent(title) || isText(title)),
  event: ({ name, data }) => isText(name) && name !== '' && (isAbsent(data) || isObject(data)),
  time: ({ seconds }) => isNumber(seconds),
  texts: ({ texts }) => isObject(texts),
};

/** What each command needs, as its sender is told. */
const NEEDS: Record<EmbedRequest['type'], string> = {
  connect: 'nothing',
  view_point: 'a numeric `id`',
  camera: 'a `position` or a `target`, each with numeric `x`, `y` and `z`',
  'camera.reset': 'nothing',
  media: 'an `action`, and a numeric `element_id` but for mute and unmute; seek needs a numeric `value`',
  navigate: 'a `slug_one`, and may have a `slug_two`',
  modal: 'a `url` or `content`, and may have a `title`',
  event: 'a `name`, and may have an object as `data`',
  time: 'numeric `seconds`',
  texts: 'an object `texts`',
};

/** What was wrong with a message, as a sentence for the console. */
export class MessageError extends Error {
  /** The sender's mark, where it wants an answer. */
  readonly request: string | undefined;
  constructor(sentence: string, request?: string) {
    super(sentence);
    this.request = request;
  }
}

/**
 * Reads a message of the page around a room.
 * @param data an object, or the same as JSON text
 * @throws MessageError when it is none that we know
 */
export function readRequest(data: unknown): EmbedRequest {
  let fields = data;
  if (typeof data === 'string') {
    try {
      fields = JSON.parse(data);
    } catch {
      throw new MessageError('A message that is not JSON.');
    }
  }
  if (!isObject(fields)) throw new MessageError('A message without a type.');
  const type = fields.type ?? fields.channel;
  const request = isText(fields.request) ? fields.request : undefined;
  if (typeof type !== 'string') throw new MessageError('A message without a type.', request);
  if (!Object.hasOwn(CHECKS, type))
    throw new MessageError(`A message of an unknown type: ${type.slice(0, 50)}.`, request);
  if (!CHECKS[type as EmbedRequest['type']](fields))
    throw new MessageError(`\`${type}\` needs ${NEEDS[type as EmbedRequest['type']]}.`, request);
  return { ...fields, type, request } as EmbedRequest;
}
