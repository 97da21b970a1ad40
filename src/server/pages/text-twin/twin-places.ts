import { alternativeOf, alternativePath } from '../../../../engine/document/alternative.ts';
import type { ElementOf, NestedElement } from '../../../../engine/document/element.ts';
import { traitsOf } from '../../../../engine/document/traits-of.ts';
import { flatten } from '../../../../engine/document/tree.ts';
import { viewPointsOf } from '../../../../engine/document/view-points.ts';
import { isOpenAt } from '../../../../engine/document/window.ts';
import { fillText } from '../../../contract/viewer-texts/fill-text.ts';
import { escapeHtml } from '../../core/html/escape.ts';
import { elementsHtml, isNadir, longTextsHtml, shownPicture, type TwinPlace } from './twin-elements.ts';
import { sectionId } from './twin-links.ts';

type Elements = readonly NestedElement[];

/** A view point with a heading on a text page. */
export interface TwinSection {
  id: number;
  /** May be empty. */
  name: string;
  /** Panorama as an image; empty for none. */
  picture: string;
  alt: string;
  /** Path of the text that is the alternative, such as `config.alt`. */
  altPath: string;
  /** Its settings, with a detailed description. */
  config: ElementOf<'view_point'>['config'];
}

/**
 * The view points with a heading: places of a tour, and others at which something special is visible.
 * @param now seconds since 1970
 */
export function sectionsOf(elements: Elements, now: number): TwinSection[] {
  const flat = flatten(elements);
  const named = new Set(flat.flatMap(({ visible_at }) => visible_at));
  return viewPointsOf(flat)
    .filter((point) => isOpenAt(point, now) && (point.file !== null || named.has(point.id)))
    .map((point) => ({
      id: point.id,
      name: point.config.name || point.name,
      picture: point.file ? (shownPicture(point.file.url) ?? '') : '',
      alt: alternativeOf(point),
      altPath: alternativePath(point),
      config: point.config,
    }));
}

/** Elements that are visible everywhere. */
export const elsewhere = (elements: Elements): NestedElement[] =>
  elements
    .filter(({ visible_at }) => visible_at.length === 0)
    .map((element) => ({ ...element, children: elsewhere(element.children) }));

/** Maximum references to other sections per section: elements limited to many places must not multiply the page. */
const MAX_REFERENCES = 50;

/** Elements limited to some places, for the section of one of them. */
interface Limited {
  /** Elements of which this is the first place. */
  elements: NestedElement[];
  /** Elements in the section of an earlier place. */
  references: { name: string; to: number }[];
}

/** Whether an element has text on a text page. */
function isRead(read: NestedElement): boolean {
  const { element, children, config } = read;
  if (isNadir(read)) return false;
  const { plays, reads } = traitsOf(element);
  if (reads !== 'children') return reads !== undefined || plays !== undefined;
  return ('feed_enabled' in config && config.feed_enabled) || children.some(isRead);
}

/** Limited elements by the ids of sections, in one walk. Each is whole at its first place, and referred to at others. */
class LimitedElements {
  readonly #now: number;
  readonly #ids: readonly number[];
  readonly #ranks: ReadonlyMap<number, number>;
  readonly #references = new Map<number, Limited['references']>();
  readonly #elements: ReadonlyMap<number, NestedElement[]>;

  constructor(sections: readonly TwinSection[], elements: Elements, now: number) {
    this.#now = now;
    this.#ids = sections.map(({ id }) => id);
    this.#ranks = new Map(this.#ids.map((id, rank) => [id, rank]));
    this.#elements = this.#walk(elements, null);
  }

  at(id: number): Limited {
    return { elements: this.#elements.get(id) ?? [], references: this.#references.get(id) ?? [] };
  }

  /** Sections where an element is visible, in order; null for everywhere. */
  #sectionsOf({ visible_at }: NestedElement, outer: readonly number[] | null): readonly number[] | null {
    if (visible_at.length === 0) return outer;
    const ranks = visible_at.flatMap((id) => this.#ranks.get(id) ?? []);
    const ids = [...new Set(ranks)].toSorted((a, b) => a - b).map((rank) => this.#ids[rank]!);
    const allowed = outer && new Set(outer);
    return allowed ? ids.filter((id) => allowed.has(id)) : ids;
  }

  /** @param outer sections where the parent is visible; null for everywhere */
  #walk(elements: Elements, outer: readonly number[] | null): Map<number, NestedElement[]> {
    const found = new Map<number, NestedElement[]>();
    const put = (id: number, element: NestedElement) => {
      const list = found.get(id);
      if (list) list.push(element);
      else found.set(id, [element]);
    };
    for (const element of elements) {
      if (!isOpenAt(element, this.#now)) continue;
      const sections = this.#sectionsOf(element, outer);
      const first = sections?.[0];
      // It is visible nowhere.
      if (sections && first === undefined) continue;
      const inside = this.#walk(element.children, sections);
      if (first !== undefined) put(first, { ...element, children: inside.get(first) ?? [] });
      for (const [id, children] of inside) if (id !== first) put(id, wrapper(element, children));
      // A reference to the parent covers all that is in the same section.
      if (sections && first !== outer?.[0]) this.#refer(element, sections);
    }
    return found;
  }

  #refer(element: NestedElement, [first, ...others]: readonly number[]): void {
    const title = 'title' in element.config ? element.config.title : '';
    const name = title || element.name;
    if (others.length === 0 || !name || !isRead(element)) return;
    for (const id of others) {
      const list = this.#references.get(id) ?? [];
      if (list.length < MAX_REFERENCES) this.#references.set(id, [...list, { name, to: first! }]);
    }
  }
}

/** A group around some of its children, without its own feed. */
const wrapper = (element: NestedElement, children: NestedElement[]): NestedElement =>
  ({ ...element, config: { ...element.config, feed_enabled: false }, children }) as NestedElement;

/** One heading per place, with the elements visible there. */
export function sectionsHtml(sections: readonly TwinSection[], elements: Elements, place: TwinPlace): string {
  const limited = new LimitedElements(sections, elements, place.now);
  return sections
    .map(({ id, name: given, picture, alt, altPath, config }, index) => {
      const name = given || fillText(place.language, place.texts.viewPoint, { number: index + 1 });
      const title = escapeHtml(name);
      const marks = place.marksOf(id, 'config.name', 'name');
      const altMarks = place.marksOf(id, altPath);
      const image = picture && `<img src="${escapeHtml(picture)}" alt="${escapeHtml(alt)}"${altMarks} loading="lazy">`;
      const link = `<a href="${escapeHtml(place.path)}#view_point=${id}">${title}</a>`;
      const { elements: own, references } = limited.at(id);
      const others = references.map(({ name, to }) => `<p><a href="#${sectionId(to)}">${escapeHtml(name)}</a></p>`);
      return `<section id="${sectionId(id)}"><h2${marks}>${link}</h2>
${[image, longTextsHtml({ id, config }, name, place), elementsHtml(own, place), ...others].filter(Boolean).join('\n')}</section>`;
    })
    .join('\n');
}
