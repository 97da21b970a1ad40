import type { TourConfigs } from '../../../../../contract/entities.ts';
import { damaged } from '../inspection.ts';
import { type LeftOut, quoted, UnusablePlace } from './imported-tour.ts';
import { folderOf, pathOf } from './tour-paths.ts';
import { readXml, type XmlElement } from './xml.ts';

/** Maximum depth of files that include others. */
const MAX_INCLUDES = 10;
/** Maximum elements of a tour with all its included files. */
const MAX_ELEMENTS = 100_000;

/** An element, and the folder that its URLs are relative to. */
export interface KrpanoElement extends XmlElement {
  children: readonly KrpanoElement[];
  /** Path of its file. */
  file: string;
}

/** The elements of a tour, with those of the files that it includes in their place. */
export class KrpanoFiles {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #leftOut: LeftOut;
  #elements = 0;

  constructor(configs: TourConfigs, leftOut: LeftOut) {
    this.#texts = new Map(configs.map(({ path, text }) => [path, text]));
    this.#leftOut = leftOut;
  }

  /**
   * @param above the files that include this one
   * @throws ApiError bad_file for circular includes, and invalid XML
   */
  read(path: string, above: readonly string[] = []): KrpanoElement[] {
    if (above.includes(path)) throw damaged(`${above.at(-1)} includes ${path}, which includes it in turn.`);
    if (above.length >= MAX_INCLUDES) throw damaged(`More than ${MAX_INCLUDES} files include one another.`);
    const roots = readXml(this.#texts.get(path)!, path);
    return this.#within(roots, path, [...above, path]);
  }

  /** Elements with their files; nested `krpano` elements count as their content. */
  #within(elements: readonly XmlElement[], file: string, above: readonly string[]): KrpanoElement[] {
    return elements.flatMap((element) => {
      if (++this.#elements > MAX_ELEMENTS) throw damaged(`The tour has more than ${MAX_ELEMENTS} elements.`);
      if (element.name === 'include') return this.#included(element, file, above);
      return [{ ...element, file, children: this.#within(element.children, file, above) }];
    });
  }

  #included({ attributes: { url = '' } }: XmlElement, file: string, above: readonly string[]): KrpanoElement[] {
    const isOwn = /%\w+%/.test(url);
    try {
      const path = isOwn ? null : pathOf(folderOf(file), url, file);
      if (path !== null && this.#texts.has(path)) return this.read(path, above).flatMap(({ children }) => children);
    } catch (error) {
      if (!(error instanceof UnusablePlace)) throw error;
    }
    this.#leftOut.add(file, `the included file ${quoted(url)} is not in the folder; left out`);
    return [];
  }
}
