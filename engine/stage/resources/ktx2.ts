import workerUrl from 'virtual:basis-worker';
import { KTX2Loader } from 'three/addons/loaders/KTX2Loader.js';
import transcoderUrl from 'three/examples/jsm/libs/basis/basis_transcoder.wasm?url';

/** Loads KTX2 pictures with a worker that is a file, so that the page's policy needs no `eval`. */
export class FileWorkerKtx2Loader extends KTX2Loader {
  override init(): Promise<void> {
    this.transcoderPending ??= fetch(transcoderUrl)
      .then((response) => response.arrayBuffer())
      .then((binary) => {
        this.transcoderBinary = binary;
        this.workerPool.setWorkerCreator(() => {
          const worker = new Worker(workerUrl);
          const transcoderBinary = binary.slice(0);
          worker.postMessage({ type: 'init', config: this.workerConfig, transcoderBinary }, [transcoderBinary]);
          return worker;
        });
      });
    return this.transcoderPending;
  }
}
