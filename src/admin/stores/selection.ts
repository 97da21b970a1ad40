import { makeAutoObservable } from 'mobx';

/** Ids that are checked in a list. */
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

  /** Unchecks what is no longer in the list. */
  keep(rows: readonly { id: number }[]): void {
    const shown = new Set(rows.map(({ id }) => id));
    this.set([...this.ids].filter((id) => shown.has(id)));
  }
}
