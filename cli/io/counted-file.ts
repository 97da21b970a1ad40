/** A file that reports upload progress. */
export class CountedFile extends File {
  readonly #onRead: (bytes: number) => void;

  constructor(content: Blob, name: string, onRead: (bytes: number) => void) {
    super([content], name);
    this.#onRead = onRead;
  }

  override stream(): ReturnType<File['stream']> {
    const onRead = this.#onRead;
    const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform: (chunk, controller) => {
        onRead(chunk.length);
        controller.enqueue(chunk);
      },
    });
    return super.stream().pipeThrough(count);
  }
}
