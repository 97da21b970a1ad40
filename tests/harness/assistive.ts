import type { CDPSession, Page } from 'playwright';

/** A node of Chromium's accessibility tree. */
export interface TreeNode {
  role: string;
  name: string;
  description: string;
}

/** Roles of what can be operated. */
const OPERATED =
  /^(?:button|link|textbox|searchbox|checkbox|radio|switch|slider|spinbutton|combobox|option|tab|menuitem|DisclosureTriangle)$/;

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** The browser's accessibility tree, in reading order. */
export async function treeOf(page: Page): Promise<TreeNode[]> {
  const known = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, known);
  const { nodes } = await (await known).send('Accessibility.getFullAXTree');
  return nodes.flatMap(({ ignored, role, name, description }) =>
    ignored
      ? []
      : [
          {
            role: String(role?.value ?? ''),
            name: String(name?.value ?? '').trim(),
            description: String(description?.value ?? ''),
          },
        ],
  );
}

/** What can be operated, but has no name. */
export const nameless = (tree: readonly TreeNode[]): TreeNode[] =>
  tree.filter(({ role, name }) => OPERATED.test(role) && name === '');

/** Everything that a screen reader reads. */
export const readAloud = (tree: readonly TreeNode[]): string =>
  tree.map(({ name, description }) => `${name}\n${description}`).join('\n');

/** Alternatives that a room's visible elements offer here, and the number of those with longer texts. */
export const offered = (page: Page): Promise<{ alternatives: string[]; longTexts: number }> =>
  page.evaluate(() => {
    const { scene } = window.enfilade!.stage!;
    const shown = scene.room.elements.filter(({ id, element, config }) => {
      const entity = scene.entityOf(id);
      // Plans are seen when they are opened, and panoramas at their places.
      const isElsewhere =
        element === 'view_point' ? id !== scene.place : element === 'image' && config.appearance === 'plan';
      return entity !== undefined && scene.isVisible(entity) && !isElsewhere;
    });
    const texts = shown.map(({ element, config }) => ({
      // The menu of view points shows theirs.
      isListed: element === 'view_point',
      ...(config as { alt?: string; decorative?: boolean; long_description?: string; transcript?: string }),
    }));
    return {
      alternatives: texts.flatMap(({ alt, decorative }) => (alt?.trim() && !decorative ? [alt.trim()] : [])),
      longTexts: texts.filter(
        ({ isListed, long_description, transcript }) => !isListed && (long_description?.trim() || transcript?.trim()),
      ).length,
    };
  });

/** Collects what live regions of a page say from now on. @returns reads and empties the collection */
export async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const heard: string[] = [];
    const last = new Map<Element, string>();
    const observer = new MutationObserver((changes) => {
      const regions = new Set<Element>();
      for (const { target } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        const region = element?.closest(
          '[role="status"], [role="alert"], [aria-live="polite"], [aria-live="assertive"]',
        );
        if (region) regions.add(region);
      }
      for (const region of regions) {
        const text = (region.textContent ?? '').trim();
        if (text !== '' && last.get(region) !== text) heard.push(text);
        last.set(region, text);
      }
    });
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
    Object.assign(globalThis, { heard });
  });
  return () => page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard.splice(0));
}

/** What doesn't fit a page at its width: its own scrolling, and controls outside the window. */
export const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push(`scrolls by ${scrollWidth - clientWidth}`);
    const scrolls = (element: Element | null): boolean => {
      if (!element || element === document.body) return false;
      const { overflowX, overflowY } = getComputedStyle(element);
      const isScrolled =
        (/auto|scroll/.test(overflowX) && element.scrollWidth > element.clientWidth) ||
        (/auto|scroll/.test(overflowY) && element.scrollHeight > element.clientHeight);
      return isScrolled || scrolls(element.parentElement);
    };
    /** Whether it is hidden until it has the focus. */
    const isClipped = (element: Element | null): boolean =>
      element !== null && (getComputedStyle(element).clipPath !== 'none' || isClipped(element.parentElement));
    for (const control of document.querySelectorAll('button, a[href], input, textarea, summary')) {
      if (
        control.matches('.stage-press') ||
        !control.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      )
        continue;
      const { left, right, top, bottom, width } = control.getBoundingClientRect();
      if (width <= 1 || control.closest('#room') || isClipped(control)) continue;
      const isPage = !document.getElementById('room');
      const isOut = left < -1 || right > innerWidth + 1 || (!isPage && (top < -1 || bottom > innerHeight + 1));
      if (isOut && !scrolls(control.parentElement))
        found.push(`${control.getAttribute('aria-label') ?? control.textContent} is at ${[left, top, right, bottom]}`);
    }
    return found;
  });
