import type { Browser, Page } from 'playwright';
import type { z } from 'zod';
import type { Element } from '../../engine/document/element.ts';
import type { calls } from '../../src/contract/calls.ts';
import { MAX_COMMANDS } from '../../src/contract/entities/room-command.ts';
import { follow, openAdmin } from './admin-page.ts';
import { BLUNT, type Visitor } from './browser.ts';
import type { WebApp } from './web-app.ts';

type RoomInput = Partial<z.input<typeof calls.rooms.create.body>>;
/** An element as tests write it, with its children. */
export type Written = z.input<typeof calls.rooms.addElement.body> & { children?: Written[] };

interface Point {
  x: number;
  y: number;
}

/**
 * A camera in the center of a small room, light that preserves colors, and few pixels because of software rendering.
 * @param pixelratio device pixels per CSS pixel
 */
export const plainRoom = (pixelratio = BLUNT): RoomInput => ({
  width: 1000,
  height: 600,
  depth: 1200,
  config: {
    camera: { fov: 50, position: { x: 0, y: 0, z: 400 }, angle: { x: 0, y: 0, z: 0 } },
    ambient_light: 1,
    pixelratio,
  },
});

/** Adds a room with nested elements, in as few calls as possible. @returns its id, and the elements' ids by name */
export async function buildRoom(app: WebApp, elements: readonly Written[], room: RoomInput = plainRoom()) {
  const { id } = await app.client.rooms.create({ body: { title: 'Room', ...room } });
  const ids: Record<string, number> = {};
  for (let from = 0, mutation = 1; from < elements.length; from += MAX_COMMANDS, mutation++) {
    const names: string[] = [];
    // Ids below 0 are placeholders for ids that the server assigns.
    const numbered = ({ children = [], config = {}, name = '', ...fields }: Written): Record<string, unknown> => {
      const stand_in = -names.push(name);
      return { ...fields, id: stand_in, name, config, children: children.map(numbered) };
    };
    const part = elements.slice(from, from + MAX_COMMANDS);
    const commands = part.map((element) => ({ type: 'element.add' as const, element: numbered(element) }));
    const made = await app.client.rooms.commit({ params: { id }, body: { client: 'test', mutation, commands } });
    for (const [at, name] of names.entries()) if (name) ids[name] = made.ids[-1 - at]!;
  }
  return { id, ids };
}

/** The canvas of an editor in a browser, driven like a user would. */
export class CanvasPage {
  readonly page: Page;
  readonly visitor: Visitor;

  private constructor(visitor: Visitor) {
    this.visitor = visitor;
    this.page = visitor.page;
  }

  /** The canvas of the editor on a page, once every element is drawn. */
  static async of(visitor: Visitor, roomId: number): Promise<CanvasPage> {
    const { page } = visitor;
    await page.getByRole('heading', { level: 1, name: `Room #${roomId}` }).waitFor();
    await page.locator('[aria-label="Room"][data-state="ready"]').waitFor();
    const canvas = new CanvasPage(visitor);
    await canvas.frames();
    return canvas;
  }

  /** Navigates to another room without loading the page again. */
  async goOn(roomId: number): Promise<CanvasPage> {
    await follow(this.page, `/admin/editor/${roomId}`);
    return CanvasPage.of(this.visitor, roomId);
  }

  get faults(): string[] {
    return this.visitor.faults;
  }

  /** Waits for animation frames, in which the room is updated. */
  async frames(count = 3): Promise<void> {
    await this.page.evaluate(async (left) => {
      for (let i = 0; i < left; i++) await new Promise(requestAnimationFrame);
    }, count);
  }

  /** Waits until the camera has stopped moving. */
  stands(): Promise<void> {
    return this.page.evaluate(async () => {
      const { camera } = window.enfiladeCanvas!.stage!;
      for (let still = 0, last = ''; still < 10; ) {
        const pose = camera.matrixWorld.elements.join();
        still = pose === last ? still + 1 : 0;
        last = pose;
        await new Promise(requestAnimationFrame);
      }
    });
  }

  /** The element as the canvas received it from the document. */
  element(id: number): Promise<Element> {
    return this.page.evaluate((wanted) => {
      const { scene } = window.enfiladeCanvas!.stage!;
      return JSON.parse(JSON.stringify(scene.elementOf(scene.entityOf(wanted)!)));
    }, id);
  }

  /** Projects a point of the room to page pixels. */
  seen(point: readonly [number, number, number]): Promise<Point> {
    return this.page.evaluate(([x, y, z]) => {
      const { camera, canvas } = window.enfiladeCanvas!.stage!;
      camera.updateMatrixWorld();
      const at = camera.position.clone().set(x, y, z).project(camera);
      const box = canvas.getBoundingClientRect();
      return { x: box.left + ((at.x + 1) / 2) * box.width, y: box.top + ((1 - at.y) / 2) * box.height };
    }, point);
  }

  /** Projects an element, or a point at an offset in room units, to page pixels. */
  async at(id: number, [dx, dy, dz]: readonly [number, number, number] = [0, 0, 0]): Promise<Point> {
    const [x, y, z] = await this.page.evaluate((wanted) => {
      const { scene } = window.enfiladeCanvas!.stage!;
      const matrix = new Float32Array(16);
      scene.worldMatrix(scene.entityOf(wanted)!, matrix);
      return [matrix[12]!, matrix[13]!, matrix[14]!] as const;
    }, id);
    return this.seen([x + dx, y + dy, z + dz]);
  }

  async press({ x, y }: Point): Promise<void> {
    await this.page.mouse.move(x, y);
    await this.frames();
    await this.page.mouse.down();
    await this.page.mouse.up();
    await this.frames();
  }

  /** Drags from one point to another in several moves. */
  async drag(from: Point, to: Point, { release = true, steps = 8 } = {}): Promise<void> {
    await this.page.mouse.move(from.x, from.y);
    await this.frames();
    await this.page.mouse.down();
    await this.page.mouse.move(to.x, to.y, { steps });
    await this.frames();
    if (release) await this.page.mouse.up();
    await this.frames();
  }

  async key(key: string): Promise<void> {
    await this.page.keyboard.press(key);
    await this.frames();
  }

  /** State of the transform. */
  context() {
    return this.page.evaluate(() => window.enfiladeCanvas!.machine.getSnapshot().context);
  }

  /** Ids of the outlined elements. */
  outlined(): Promise<{ selected: number | null; hovered: number | null }> {
    return this.page.evaluate(() => {
      const { three } = window.enfiladeCanvas!.stage!;
      const of = (name: string) => {
        const lines = three.getObjectByName(name)!;
        return lines.visible ? ((lines.userData.element_ids as number[]).at(-1) ?? null) : null;
      };
      return { selected: of('selected'), hovered: of('hovered') };
    });
  }

  /** Ids of all elements outlined as selected. */
  selectedIds(): Promise<number[]> {
    return this.page.evaluate(() => {
      const lines = window.enfiladeCanvas!.stage!.three.getObjectByName('selected')!;
      return lines.visible ? (lines.userData.element_ids as number[]) : [];
    });
  }

  /** Whether the stage draws an object with this name. */
  draws(name: string): Promise<boolean> {
    return this.page.evaluate(
      (wanted) => window.enfiladeCanvas!.stage!.three.getObjectByName(wanted)?.visible ?? false,
      name,
    );
  }

  close(): Promise<void> {
    return this.visitor.close();
  }
}

/** Size of the editor's window. */
export interface CanvasWindow {
  width?: number;
  height?: number;
  /** Device pixels per CSS pixel: 1 for tests that inspect pixels. */
  deviceScaleFactor?: number;
}

/** Opens a room in the editor and waits until every element is drawn. */
export async function openCanvas(
  app: WebApp,
  browser: Browser,
  roomId: number,
  // Wide enough for the tree and the edit window to leave the center of the room uncovered.
  { width = 1600, height = 800, deviceScaleFactor = BLUNT }: CanvasWindow = {},
): Promise<CanvasPage> {
  const visitor = await openAdmin(app, browser, `/admin/editor/${roomId}`, {
    viewport: { width, height },
    deviceScaleFactor,
  });
  return CanvasPage.of(visitor, roomId);
}
