import type { EmbedPoint, EmbedRequest } from '../../contract/embed-messages.ts';

/** Maximum lengths of names and dialog HTML, in characters. */
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

/** Validators of commands, by type. */
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

/** Required fields of commands, for error messages. */
const NEEDS: Record<EmbedRequest['type'], string> = {
  connect: 'nothing',
  view_point: 'a numeric `id`',
  camera: 'a `position` or a `target`, each with numeric `x`, `y` and `z`',
  'camera.reset': 'nothing',
  media: 'an `action`, and a numeric `element_id` except for mute and unmute; seek needs a numeric `value`',
  navigate: 'a `slug_one`, and may have a `slug_two`',
  modal: 'a `url` or `content`, and may have a `title`',
  event: 'a `name`, and may have an object as `data`',
  time: 'numeric `seconds`',
  texts: 'an object `texts`',
};

/** Validation error of a message, for the console. */
export class MessageError extends Error {
  /** Request id, if the sender expects a response. */
  readonly request: string | undefined;
  constructor(sentence: string, request?: string) {
    super(sentence);
    this.request = request;
  }
}

/**
 * Parses a message from the embedding page.
 * @param data an object, or its JSON
 * @throws MessageError for invalid messages
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
