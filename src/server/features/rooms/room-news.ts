/** Tells within this process that a room was changed, once that is stored for good. */
export class RoomNews {
  readonly #listeners = new Set<(roomId: number, seq: number) => void>();

  /** @returns ends it */
  hear(listener: (roomId: number, seq: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** @param seq place of the change in the log of the room */
  tell(roomId: number, seq: number): void {
    for (const listener of this.#listeners) listener(roomId, seq);
  }
}

declare module '../../core/services.ts' {
  interface Services {
    /** Notifies subscribers of changed rooms. */
    roomNews: RoomNews;
  }
}
