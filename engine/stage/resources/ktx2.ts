import workerUrl from 'virtual:basis-worker';
import { KTX2Loader } from 'three/addons/loaders/KTX2Loader.js';
import transcoderUrl from 'three/examples/jsm/libs/basis/basis_transcoder.wasm?url';

/** What the library keeps to itself and this loader replaces. */
interface Inside {
  transcoderPending: Promise<void> | null;
  transcoderBinary: ArrayBuffer;
  workerConfig: unknown;
  workerPool: { setWorkerCreator(create: () => Worker): void };
}

/** Loads KTX2 pictures with a worker that is a file, so that the page's policy needs no `eval`. */
export class FileWorkerKtx2Loader extends KTX2Loader {
  override init(): Promise<void> {
    const inside = this as unknown as Inside;
    inside.transcoderPending ??= fetch(transcoderUrl)
      .then((response) => response.arrayBuffer())
      .then((binary) => {
        inside.transcoderBinary = binary;
        inside.workerPool.setWorkerCreator(() => {
          const worker = new Worker(workerUrl);
          const transcoderBinary = binary.slice(0);
          worker.postMessage({ type: 'init', config: inside.workerConfig, transcoderBinary }, [transcoderBinary]);
          return worker;
        });
      });
    return inside.transcoderPending;
  }
}
