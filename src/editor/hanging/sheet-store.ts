import { makeAutoObservable, observableRef, runInAction, when } from 'mobx';
import { hangingCommands, idsNeeded } from '../../../engine/document/arrangements/hang.ts';
import type { Media, WorkSheet } from '../../contract/entities.ts';
import { planSheet, type RowProblem, type SheetPlan, withFiles } from '../../contract/hanging.ts';
import { UploadsStore } from '../../ui/media/uploads-store.ts';
import { showProblem } from '../../ui/notifications.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
import { isSheet } from '../canvas/sheet-files.ts';
import type { Editor } from '../session/editor-context.ts';
import { HangSettings } from './hang-settings.ts';

/** A row of the preview. */
export interface PreviewRow {
  row: number;
  title: string;
  author: string;
  /** URL of the image; empty if it is missing. */
  url: string;
  size: string;
  /** Name of the wall; empty if the work doesn't hang. */
  wall: string;
  problems: RowProblem[];
}

/** Hangs works from a spreadsheet: uploads images, reads the sheet, and shows the plan until it is applied. */
export class SheetStore {
  readonly #editor: Editor;
  readonly settings: HangSettings;
  readonly uploads: UploadsStore<Media>;
  /** Name of the sheet; empty until it is chosen. */
  name = '';
  isReading = false;
  sheet: WorkSheet | null = null;
  #uploaded: Media[] = [];

  constructor(editor: Editor) {
    this.#editor = editor;
    this.settings = new HangSettings(editor.document, canvasOf(editor.document).eyeLevel);
    this.uploads = new UploadsStore<Media>(
      (file, progress) => editor.client.media.upload({ body: {}, files: { file }, ...progress }),
      (media) => media && runInAction(() => (this.#uploaded = [...this.#uploaded, media])),
    );
    makeAutoObservable(this, { settings: false, uploads: false, sheet: observableRef });
  }

  /** Takes a sheet, and the images that it names. */
  async take(files: readonly File[]): Promise<void> {
    const sheet = files.find(isSheet);
    if (!sheet) return;
    this.name = sheet.name;
    this.isReading = true;
    this.sheet = null;
    this.uploads.add(files.filter((file) => !isSheet(file)));
    await when(() => this.uploads.pending === 0);
    try {
      const read = await this.#editor.client.media.readWorks({ body: {}, files: { file: sheet } });
      const uploaded = this.#uploaded.map((file) => ({ name: file.name, file }));
      runInAction(() => (this.sheet = withFiles(read, uploaded)));
    } catch (error) {
      showProblem(error);
      runInAction(() => (this.name = ''));
    } finally {
      runInAction(() => (this.isReading = false));
    }
  }

  get plan(): SheetPlan | null {
    const { wanted, options, sizing } = this.settings;
    return this.sheet && planSheet(this.#editor.document.room, wanted, this.sheet, { ...options, sizing });
  }

  /** Number of works that hang. */
  get count(): number {
    return this.plan?.works.filter(({ hung }) => hung !== null).length ?? 0;
  }

  /** All rows of the sheet, with what happens to them. */
  get rows(): PreviewRow[] {
    const { plan, sheet } = this;
    if (!plan || !sheet) return [];
    const problems = Map.groupBy(plan.problems, ({ row }) => row);
    const hung = new Map(plan.works.map((each) => [each.work.row, each.hung]));
    const works = sheet.works.map(({ row, title, image, author, file, width, height }): PreviewRow => {
      const sides = [width, height].map((side) => (side === null ? '?' : String(side)));
      return {
        row,
        title: title || image,
        author,
        url: file?.url ?? '',
        size: width === null && height === null ? '' : `${sides.join(' × ')} cm`,
        wall: hung.get(row)?.wall.name ?? '',
        problems: problems.get(row) ?? [],
      };
    });
    const known = new Set(works.map(({ row }) => row));
    const refused = [...problems].flatMap(([row, all]): PreviewRow | never[] =>
      known.has(row) ? [] : { row, title: '', author: '', url: '', size: '', wall: '', problems: all },
    );
    return [...works, ...refused].toSorted((a, b) => a.row - b.row);
  }

  /** Hangs the works as one step of the history, and selects them by wall. @returns whether they hang */
  async hang(): Promise<boolean> {
    const { plan, count } = this;
    if (!plan || count === 0) return false;
    const { ids, document, selection } = this.#editor;
    const taken = await ids.taken(idsNeeded(plan.hanging));
    if (!taken) return false;
    const commands = hangingCommands(plan.hanging, taken);
    document.run(commands, { label: `Hang ${count} ${count === 1 ? 'work' : 'works'}` });
    selection.selectMany(
      commands.flatMap((command) => (command.type === 'element.add' ? command.elements[0]!.id : [])),
    );
    return true;
  }
}
