import type { Browser, Locator, Page } from 'playwright';
import { follow, openAdmin } from './admin-page.ts';
import { BLUNT, type Visitor } from './browser.ts';
import type { WebApp } from './web-app.ts';

const SCHEME_KEY = 'enfilade.editor-scheme';

/** Milliseconds that saving may take on a slow machine. */
const PATIENCE = 90_000;

export interface EditorOptions {
  scheme?: 'light' | 'dark';
  viewport?: { width: number; height: number };
}

/** The editor of a room in a browser, driven like a user would. */
export class EditorDriver {
  readonly page: Page;
  readonly visitor: Visitor;
  readonly roomId: number;

  private constructor(visitor: Visitor, roomId: number) {
    this.visitor = visitor;
    this.page = visitor.page;
    this.roomId = roomId;
  }

  /** Opens a room in a new window; every window has a user of its own. */
  static async open(
    app: WebApp,
    browser: Browser,
    roomId: number,
    { scheme = 'dark', viewport = { width: 1280, height: 800 } }: EditorOptions = {},
  ): Promise<EditorDriver> {
    const kept = { [SCHEME_KEY]: scheme };
    const visitor = await openAdmin(app, browser, `/admin/editor/${roomId}`, {
      viewport,
      kept,
      deviceScaleFactor: BLUNT,
    });
    return EditorDriver.of(visitor, roomId);
  }

  /** The editor on a page. */
  static async of(visitor: Visitor, roomId: number): Promise<EditorDriver> {
    const driver = new EditorDriver(visitor, roomId);
    await driver.ready();
    return driver;
  }

  /** Navigates to another room without loading the page again. */
  async goOn(roomId: number): Promise<EditorDriver> {
    await follow(this.page, `/admin/editor/${roomId}`);
    return EditorDriver.of(this.visitor, roomId);
  }

  /** Errors and failed requests so far, except for internet hosts, which tests don't reach. */
  get faults(): string[] {
    return this.visitor.faults.filter((fault) => !fault.includes('ERR_NAME_NOT_RESOLVED'));
  }

  close(): Promise<void> {
    return this.visitor.close();
  }

  /** Waits until the editor shows its room. */
  async ready(): Promise<void> {
    await this.page.getByRole('heading', { level: 1, name: `Room #${this.roomId}` }).waitFor({ timeout: PATIENCE });
  }

  /** Reloads the page, as after a crash. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.ready();
  }

  /** Text of the saving indicator. */
  get saveState(): Locator {
    return this.page.getByRole('status', { name: 'Saving' });
  }

  /** Waits until everything is saved, including edits whose state only the next frame shows. */
  async saved(): Promise<void> {
    await this.page.evaluate(() => new Promise(requestAnimationFrame));
    await this.saveState.getByText('Saved', { exact: true }).waitFor({ timeout: PATIENCE });
  }

  get tree(): Locator {
    return this.page.getByRole('tree', { name: 'Elements', exact: true });
  }

  /** The row of an element. */
  row(name: string): Locator {
    return this.tree.getByRole('treeitem').filter({ has: this.page.getByTitle(name, { exact: true }) });
  }

  /** Names in the tree from top to bottom. */
  async names(): Promise<string[]> {
    const titles = await this.tree
      .locator('button[title]:not([aria-label])')
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('title')!));
    return titles;
  }

  async select(name: string): Promise<void> {
    // Hidden elements can be pressed, too; some tests check that nothing happens.
    await this.tree.getByTitle(name, { exact: true }).click({ force: true });
  }

  /** Runs an action of a row, such as "Copy". */
  async act(action: string, name: string): Promise<void> {
    const row = this.row(name);
    await row.hover();
    await row.getByRole('button', { name: `${action} ${name}`, exact: true }).click();
  }

  /** Answers the open dialog. */
  async answer(action: string): Promise<void> {
    const dialog = this.page.getByRole('dialog').filter({ hasText: 'Are you sure' });
    await dialog.getByRole('button', { name: action, exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
  }

  /** Adds an element by the label of its type; types that need a file are added without one. */
  async add(kind: string, group?: string): Promise<void> {
    if (group) await this.act('Add to', group);
    else await this.page.getByRole('button', { name: 'Add an item' }).click();
    const dialog = this.page.getByRole('dialog', { name: 'Add an item' });
    await dialog.getByLabel('Choose the file first').uncheck();
    await dialog
      .getByRole('button')
      .filter({ has: this.page.getByText(kind, { exact: true }) })
      .click();
    await dialog.waitFor({ state: 'hidden' });
    await this.window.waitFor();
  }

  get window(): Locator {
    return this.page.getByRole('region', { name: 'Edit window' });
  }

  async tab(name: string): Promise<void> {
    await this.window.getByRole('tab', { name, exact: true }).click();
  }

  /** Fills a field of the edit window. */
  async fill(label: string, value: string): Promise<void> {
    await this.window.getByLabel(label, { exact: true }).fill(value);
  }

  /** Turns a switch on. */
  async turnOn(label: string, within: Locator = this.window): Promise<void> {
    const field = within.locator('label').filter({ has: this.page.getByText(label, { exact: true }) });
    await field.getByRole('switch').check({ force: true });
  }

  async choose(label: string, option: string, within: Locator = this.window): Promise<void> {
    await within.getByRole('combobox', { name: label, exact: true }).click();
    await this.page.getByRole('option', { name: option, exact: true }).click();
  }

  /** Presses Save in the edit window, which closes it. */
  async save(): Promise<void> {
    await this.window.getByRole('button', { name: 'Save', exact: true }).click();
    await this.window.waitFor({ state: 'detached' });
  }

  async cancel(): Promise<void> {
    await this.window.getByRole('button', { name: 'Cancel', exact: true }).click();
    await this.window.waitFor({ state: 'detached' });
  }

  /** Presses keys outside text fields. */
  async press(keys: string): Promise<void> {
    await this.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await this.page.keyboard.press(keys);
  }
}
