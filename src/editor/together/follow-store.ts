import { action, computed, makeObservable, observable } from 'mobx';
import type { OtherEditor } from '../../contract/editor-messages.ts';
import type { EditorsLine } from './editors-line.ts';

/** Through whose eyes one looks. */
export class FollowStore {
  readonly #line: EditorsLine;
  /** Name of the program of who is followed; null while nobody is. */
  client: string | null = null;

  constructor(line: EditorsLine) {
    this.#line = line;
    makeObservable(this, { client: observable, followed: computed, follow: action });
  }

  /** Who is followed; null while nobody is, or who was has left. */
  get followed(): OtherEditor | null {
    return this.#line.others.find(({ client }) => client === this.client) ?? null;
  }

  /** Sees what somebody sees from now on; null for one's own way again. */
  follow(client: string | null): void {
    this.client = client;
  }
}
