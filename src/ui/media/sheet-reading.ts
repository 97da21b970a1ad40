import { makeAutoObservable, observableRef, runInAction, when } from 'mobx';
import type { Client } from '../../contract/client.ts';
import type { Media, WorkSheet } from '../../contract/entities.ts';
import { withFiles } from '../../contract/hanging.ts';
import { showProblem, showProblemText } from '../notifications.ts';
import { MEDIA_KINDS } from './media-kinds.ts';
import { UploadsStore } from './uploads-store.ts';

/** File name endings of spreadsheets of works. */
const SHEET_ENDINGS = ['.xlsx', '.csv', '.tsv'] as const;

/** Files to choose for a sheet: the sheet itself, and images. */
export const SHEET_FILES: string = [...SHEET_ENDINGS, ...MEDIA_KINDS.image.endings].join(',');

/** Whether a file is a spreadsheet, by its name. */
export const isSheet = ({ name }: { name: string }): boolean =>
  SHEET_ENDINGS.some((ending) => name.toLowerCase().endsWith(ending));

/** Reads a spreadsheet of works, after uploading the images that come with it. */
export class SheetReading {
  readonly #client: Client;
  readonly uploads: UploadsStore<Media>;
  /** Name of the sheet; empty until it is chosen. */
  name = '';
  isReading = false;
  /** The works; null until they are read. */
  sheet: WorkSheet | null = null;
  #uploaded: Media[] = [];

  constructor(client: Client) {
    this.#client = client;
    this.uploads = new UploadsStore<Media>(
      (file, progress) => client.media.upload({ body: {}, files: { file }, ...progress }),
      (media) => {
        if (media) this.#uploaded.push(media);
      },
    );
    makeAutoObservable(this, { uploads: false, sheet: observableRef });
  }

  /** Takes a sheet, and the images that it names. */
  async take(files: readonly File[]): Promise<void> {
    if (files.length === 0) return;
    const sheet = files.find(isSheet);
    if (!sheet) return showProblemText(`Choose a spreadsheet, too: ${SHEET_ENDINGS.join(', ')}.`);
    this.name = sheet.name;
    this.isReading = true;
    this.sheet = null;
    this.uploads.add(files.filter((file) => !isSheet(file)));
    await when(() => this.uploads.pending === 0);
    try {
      const read = await this.#client.media.readWorks({ body: {}, files: { file: sheet } });
      const uploaded = this.#uploaded.map((file) => ({ name: file.name, file }));
      runInAction(() => (this.sheet = withFiles(read, uploaded)));
    } catch (error) {
      showProblem(error);
      runInAction(() => (this.name = ''));
    } finally {
      runInAction(() => (this.isReading = false));
    }
  }
}
