import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { damaged } from '../inspection.ts';

/** An element of an XML document. */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: readonly XmlElement[];
  /** Its own text. */
  text: string;
  /** Its texts and elements in order. */
  content: readonly (string | XmlElement)[];
}

/** Maximum nesting depth. */
const MAX_LEVELS = 50;
/** Maximum number of elements of a document, unless its format allows more. */
const MAX_ELEMENTS = 50_000;

/** An element as the parser returns it: its name with its content, and `:@` with its attributes. */
type Parsed = Record<string, unknown>;

const ATTRIBUTES = ':@';
const TEXT = '#text';

class Reading {
  readonly #most: number;
  #elements = 0;

  constructor(most: number) {
    this.#most = most;
  }

  elements(nodes: readonly Parsed[]): XmlElement[] {
    return nodes.flatMap((node) => {
      const name = Object.keys(node).find((key) => key !== ATTRIBUTES);
      if (name === undefined || name === TEXT || name.startsWith('?')) return [];
      if (++this.#elements > this.#most) throw damaged(`The XML has more than ${this.#most} elements.`);
      const inside = node[name] as Parsed[];
      const attributes = Object.entries((node[ATTRIBUTES] ?? {}) as Record<string, unknown>);
      const content = inside.flatMap((child): (string | XmlElement)[] =>
        TEXT in child ? [String(child[TEXT])] : this.elements([child]),
      );
      return [
        {
          name: name.toLowerCase(),
          attributes: Object.fromEntries(attributes.map(([key, value]) => [key.toLowerCase(), String(value)])),
          children: content.filter((each) => typeof each !== 'string'),
          text: content.filter((each) => typeof each === 'string').join(''),
          content,
        },
      ];
    });
  }
}

/**
 * Parses XML. Documents with a document type are rejected, because it can declare entities that expand to gigabytes.
 * @param format maximum number of elements, and whether spaces around texts are removed
 * @returns the root elements
 * @throws ApiError bad_file
 */
export function readXml(
  text: string,
  path: string,
  { elements = MAX_ELEMENTS, trims = true }: { elements?: number; trims?: boolean } = {},
): XmlElement[] {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw damaged(`${path} has a document type (<!DOCTYPE>). Remove it.`);
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    allowBooleanAttributes: true,
    parseTagValue: false,
    parseAttributeValue: false,
    htmlEntities: true,
    maxNestedTags: MAX_LEVELS,
    trimValues: trims,
  });
  let nodes: Parsed[];
  try {
    nodes = parser.parse(text) as Parsed[];
    const problem = XMLValidator.validate(text, { allowBooleanAttributes: true });
    if (problem !== true) throw damaged(`${path} is not valid XML (line ${problem.err.line}).`);
  } catch (error) {
    if (error instanceof Error && 'code' in error) throw error;
    const isDeep = error instanceof Error && /nested tags/i.test(error.message);
    throw damaged(isDeep ? `${path} is nested more than ${MAX_LEVELS} levels deep.` : `${path} is not valid XML.`);
  }
  return new Reading(elements).elements(nodes);
}
