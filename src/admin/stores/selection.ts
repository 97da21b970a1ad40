import { makeAutoObservable } from 'mobx';

/** Selected ids of a list. */
export class Selection {
  ids = new Set<number>();

  constructor() {
    makeAutoObservable(this);
  }

  toggle(id: number): void {
    if (!this.ids.delete(id)) this.ids.add(id);
  }

  set(ids: readonly number[]): void {
    this.ids = new Set(ids);
  }

  /** Deselects ids that left the list. */
  keep(rows: readonly { id: number }[]): void {
    const shown = new Set(rows.map(({ id }) => id));
    this.set([...this.ids].filter((id) => shown.has(id)));
  }
}
