import { isDeepStrictEqual } from 'node:util';
import type { CDPSession, Page } from 'playwright';
import { expect } from 'vitest';

/** A way to go through a room without a pointer. */
export interface Way {
  enter(): Promise<void>;
  /** What can be pressed in the room, in order. */
  things(): Promise<string[]>;
  /** Presses one of them, by its place in that order. */
  press(index: number): Promise<void>;
  /** Presses one of the controls over the room, by its name. */
  control(name: string): Promise<void>;
}

export function byKeyboard(page: Page): Way {
  /** What has the focus: its name, and its place in the room; null outside of it. */
  const focused = () =>
    page.evaluate(() => {
      const { activeElement } = document;
      const holder = activeElement?.closest<HTMLElement>('#room [data-element-id]');
      if (!holder) return null;
      const name = activeElement!.getAttribute('title') ?? activeElement!.textContent ?? '';
      return { name, id: holder.dataset.elementId!, at: [...holder.querySelectorAll('*')].indexOf(activeElement!) };
    });
  type Focused = NonNullable<Awaited<ReturnType<typeof focused>>>;
  /** What the keyboard reaches, in order. */
  let places: Focused[] = [];
  const focus = ({ id, at }: Focused) =>
    page.evaluate(
      ([id, at]) => {
        const holder = document.querySelector<HTMLElement>(`#room [data-element-id="${id}"]`)!;
        (at < 0 ? holder : (holder.querySelectorAll('*')[at] as HTMLElement)).focus();
      },
      [id, at] as const,
    );
  const tabTo = async (wanted: string, found: () => Promise<boolean>) => {
    for (let tabs = 0; tabs < 200; tabs++) {
      await page.keyboard.press('Tab');
      if (await found()) return;
    }
    throw new Error(`The keyboard does not reach “${wanted}”.`);
  };
  return {
    enter: () => page.keyboard.press('Enter'),
    things: async () => {
      await page.locator('#room').focus();
      for (places = []; ; ) {
        await page.keyboard.press('Tab');
        const place = await focused();
        if (place === null) return places.map(({ name }) => name);
        places.push(place);
      }
    },
    press: async (index) => {
      const { name } = places[index]!;
      const before = places[index - 1];
      // Everything was reached from the room's beginning once: to go all that way again would draw a picture at each step.
      if (!before) await page.locator('#room').focus();
      else if (!isDeepStrictEqual(await focused(), before)) await focus(before);
      await tabTo(name, async () => (await focused())?.name === name);
      await page.keyboard.press('Enter');
    },
    control: async (name) => {
      const isIt = () =>
        page.evaluate((wanted) => {
          const { activeElement } = document;
          return (activeElement?.getAttribute('aria-label') ?? activeElement?.textContent?.trim()) === wanted;
        }, name);
      // What was pressed before is pressed again where it is.
      if (!(await isIt())) await tabTo(name, isIt);
      await page.keyboard.press('Enter');
    },
  };
}

interface Node {
  nodeId: string;
  parentId?: string;
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
  backendDOMNodeId: number;
}

/** Knows nothing but the accessibility tree, and does the default action of its nodes, as assistive technology does. */
export async function byTree(page: Page): Promise<Way> {
  const session: CDPSession = await page.context().newCDPSession(page);
  const nodes = async (): Promise<Node[]> =>
    (await session.send('Accessibility.getFullAXTree')).nodes as unknown as Node[];
  const isPressed = ({ ignored, role }: Node) => !ignored && /^(?:button|link)$/.test(role?.value ?? '');
  const act = async ({ backendDOMNodeId }: Node) => {
    const { object } = await session.send('DOM.resolveNode', { backendNodeId: backendDOMNodeId });
    const objectId = object.objectId!;
    await session.send('Runtime.callFunctionOn', { objectId, functionDeclaration: 'function () { this.click() }' });
  };
  const find = async (isIt: (node: Node) => boolean): Promise<Node> => {
    let found: Node | undefined;
    await expect.poll(async () => (found = (await nodes()).find(isIt)), { timeout: 60_000 }).toBeTruthy();
    return found!;
  };
  /** What can be pressed in the room, in order. */
  let names: string[] = [];
  const inRoom = async () => {
    const all = await nodes();
    const byId = new Map(all.map((node) => [node.nodeId, node]));
    const isInside = (node: Node | undefined): boolean =>
      node !== undefined && (node.role?.value === 'main' || isInside(byId.get(node.parentId ?? '')));
    return all.filter((node) => isPressed(node) && isInside(node));
  };
  return {
    enter: async () => act(await find((node) => isPressed(node) && /Click to enter/.test(node.name?.value ?? ''))),
    things: async () => (names = (await inRoom()).map(({ name }) => name?.value ?? '')),
    press: async (index) => {
      const name = names[index];
      const after = names.slice(0, index).filter((other) => other === name).length;
      let thing: Node | undefined;
      const find = async () => (thing = (await inRoom()).filter((node) => (node.name?.value ?? '') === name)[after]);
      // What covered the room may have gone a moment ago.
      await expect.poll(find).toBeTruthy();
      await act(thing!);
    },
    control: async (name) => act(await find((node) => isPressed(node) && node.name?.value === name)),
  };
}
