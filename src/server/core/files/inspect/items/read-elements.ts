import type { Element } from '../../../../../../engine/document/element.ts';
import { DocumentError, parseUntrustedRoom } from '../../../../../../engine/document/room.ts';
import { ApiError, type Messages } from '../../../../../contract/errors.ts';

/** A document's elements as JSON text, not parsed in the request thread. */
export class ElementsText {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** Maximum number of reported problems. */
const MAX_PROBLEMS = 100;
/** Maximum part size in characters of JSON. */
const PART = 256 * 1024;

/** A document's problems by field. */
export const messagesOfDocument = ({ issues }: DocumentError): Messages =>
  Object.fromEntries(issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => [path.join('.') || 'error', [message]]));

/** A document's elements as a flat list: parents before children, siblings in order. */
export const flatten = (elements: unknown): Element[] =>
  parseUntrustedRoom({ id: 1, title: 'Room', elements }).elements;

/**
 * Checks a document's elements.
 * @param json the element tree
 * @returns lists of elements as JSON, parents before children, each of them quick to parse
 * @throws ApiError invalid, naming the path of each problem
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
