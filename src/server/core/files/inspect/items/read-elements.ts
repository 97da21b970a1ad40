import type { Element } from '../../../../../../engine/document/element.ts';
import { DocumentError, parseUntrustedRoom } from '../../../../../../engine/document/room.ts';
import { ApiError, type Messages } from '../../../../../contract/errors.ts';

/** Elements of a document as a text of JSON, which was not read where requests are answered. */
export class ElementsText {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** Most problems of a document that are told. */
const MAX_PROBLEMS = 100;
/** Characters of JSON after which elements come in another part. */
const PART = 256 * 1024;

/** What is wrong with a document, by field. */
export const messagesOfDocument = ({ issues }: DocumentError): Messages =>
  Object.fromEntries(issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => [path.join('.') || 'error', [message]]));

/** The elements of a document one after another, parents before their children, siblings in order. */
export const flatten = (elements: unknown): Element[] =>
  parseUntrustedRoom({ id: 1, title: 'Room', elements }).elements;

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
