import { makeAutoObservable } from 'mobx';
import { hangingCommands, idsNeeded } from '../../../engine/document/arrangements/hang.ts';
import { planSheet, type RowProblem, type SheetPlan } from '../../contract/hanging.ts';
import { SheetReading } from '../../ui/media/sheet-reading.ts';
import { canvasOf } from '../canvas/canvas-store.ts';
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

/** Hangs works from a spreadsheet: shows the plan until it is applied. */
export class SheetStore {
  readonly #editor: Editor;
  readonly settings: HangSettings;
  readonly reading: SheetReading;

  constructor(editor: Editor) {
    this.#editor = editor;
    this.settings = new HangSettings(editor.document, canvasOf(editor.document).eyeLevel);
    this.reading = new SheetReading(editor.client);
    makeAutoObservable(this, { settings: false, reading: false });
  }

  get plan(): SheetPlan | null {
    const { wanted, options, sizing } = this.settings;
    const { sheet } = this.reading;
    return sheet && planSheet(this.#editor.document.room, wanted, sheet, { ...options, sizing });
  }

  /** Number of works that hang. */
  get count(): number {
    return this.plan?.works.filter(({ hung }) => hung !== null).length ?? 0;
  }

  /** All rows of the sheet, with what happens to them. */
  get rows(): PreviewRow[] {
    const { plan } = this;
    const { sheet } = this.reading;
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
