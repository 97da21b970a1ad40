import { computed, makeObservable, observable, observableRef, reaction, runInAction, toJS } from 'mobx';
import { budgetFiles } from '../../../engine/document/budget.ts';
import type { Media } from '../../contract/entities.ts';
import { mayBeLighter } from '../../ui/media/media-kinds.ts';
import type { Editor } from '../session/editor-context.ts';
import type { CheckAnswer, CheckQuestion } from './check-worker.ts';

/** Milliseconds without an edit before a check, which would slow down drags. */
const QUIET = 700;
/** Maximum number of files per request. */
const ASKED = 100;

/** Findings and costs of the room, kept up to date during editing. */
export class CheckStore {
  readonly #editor: Editor;
  readonly #media = new Map<number, Media>();
  /** Requested files, found or not. */
  readonly #asked = new Set<number>();
  #worker: Worker | null = null;
  #isWorking = false;
  #isDue = false;
  answer: CheckAnswer | null = null;
  hasFailed = false;

  constructor(editor: Editor) {
    this.#editor = editor;
    makeObservable(this, { answer: observableRef, hasFailed: observable, count: computed });
  }

  /** Number of errors and warnings; null until the room has been checked. */
  get count(): number | null {
    return this.answer?.findings.filter(({ severity }) => severity !== 'info').length ?? null;
  }

  /** Starts checking. @returns a function that stops it */
  start(): () => void {
    const worker = new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module' });
    this.#worker = worker;
    worker.addEventListener('message', ({ data }: MessageEvent<CheckAnswer>) => this.#take(data));
    worker.addEventListener('error', () => runInAction(() => (this.hasFailed = true)));
    let timer: ReturnType<typeof setTimeout>;
    const stop = reaction(
      () => this.#editor.document.room,
      () => {
        clearTimeout(timer);
        timer = setTimeout(() => void this.#check(), QUIET);
      },
      { fireImmediately: true },
    );
    return () => {
      stop();
      clearTimeout(timer);
      worker.terminate();
      this.#worker = null;
      this.#isWorking = false;
    };
  }

  async #check(): Promise<void> {
    if (this.#isWorking) {
      this.#isDue = true;
      return;
    }
    this.#isWorking = true;
    await this.#learn();
    const question: CheckQuestion = { room: toJS(this.#editor.document.room), media: this.#media };
    this.#worker?.postMessage(question);
  }

  #take(answer: CheckAnswer): void {
    runInAction(() => {
      this.answer = answer;
      this.hasFailed = false;
    });
    this.#isWorking = false;
    if (!this.#isDue) return;
    this.#isDue = false;
    void this.#check();
  }

  /** Whether a file could have a lighter version for visitors, but has none yet. */
  isHeavy(fileId: number | null): boolean {
    const file = fileId === null ? undefined : this.#media.get(fileId);
    return file !== undefined && mayBeLighter(file) && file.optimized === null;
  }

  /** Plans a lighter version of a file. @throws ApiError */
  async lighten(fileId: number): Promise<void> {
    await this.#editor.client.media.optimize({ body: { ids: [fileId] } });
    // Requests the file again.
    this.#asked.delete(fileId);
    await this.#check();
  }

  /** Requests unknown files of the room; failed requests are retried with the next check. */
  async #learn(): Promise<void> {
    const wanted = budgetFiles(this.#editor.document.room).filter((id) => !this.#asked.has(id));
    for (let start = 0; start < wanted.length; start += ASKED) {
      const ids = wanted.slice(start, start + ASKED);
      try {
        const { data } = await this.#editor.client.media.list({ query: { ids: ids.join(','), page: 1 } });
        for (const file of data) this.#media.set(file.id, file);
        for (const id of ids) this.#asked.add(id);
      } catch {
        return;
      }
    }
  }
}
