import type { Element } from '../../../../../../engine/document/element.ts';
import { DocumentError, parseForeignRoom } from '../../../../../../engine/document/room.ts';
import { ApiError, type Messages } from '../../../../../contract/errors.ts';
import type { Workers } from '../../workers/workers.ts';

/** Elements of a document as a text of JSON, which was not read where requests are answered. */
export class ElementsText {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** Characters of JSON that are read where they stand; more are given to a worker. */
const SHORT = 32 * 1024;
/** Most problems of a document that are told. */
const MOST_PROBLEMS = 100;
/** Characters of JSON after which elements come in another part. */
const PART = 256 * 1024;

/** What is wrong with a document, by field. */
export const messagesOfDocument = ({ issues }: DocumentError): Messages =>
  Object.fromEntries(issues.slice(0, MOST_PROBLEMS).map(({ path, message }) => [path.join('.') || 'error', [message]]));

/** The elements of a document one after another, parents before their children, siblings in order. */
const flatten = (elements: unknown): Element[] => parseForeignRoom({ id: 1, title: 'Room', elements }).elements;

/**
 * Checks the elements of a document.
 * @param json the tree of elements
 * @returns lists of elements as JSON, parents before their children, each of them quickly read
 * @throws ApiError invalid, naming what is wrong by its path
 */
export function readElementsText(json: string): string[] {
  const parts: string[] = [];
  let part: string[] = [];
  let length = 0;
  const end = () => parts.push(`[${part.join(',')}]`);
  try {
    for (const element of flatten(JSON.parse(json))) {
      const text = JSON.stringify(element);
      part.push(text);
      length += text.length;
      if (length < PART) continue;
      end();
      part = [];
      length = 0;
    }
  } catch (error) {
    throw error instanceof DocumentError ? new ApiError('invalid', messagesOfDocument(error)) : error;
  }
  end();
  return parts;
}

/**
 * The checked elements of a document in parts, parents before their children. What is long is read in a worker.
 * @param elements the tree of elements, or its text
 * @throws ApiError invalid or DocumentError, naming what is wrong by its path
 */
export async function* elementParts(workers: Workers, elements: unknown): AsyncGenerator<Element[]> {
  const text = elements instanceof ElementsText ? elements.json : JSON.stringify(elements);
  if (text.length <= SHORT) {
    yield flatten(JSON.parse(text));
    return;
  }
  for (const part of await workers.run('readElements', text)) yield JSON.parse(part);
}
