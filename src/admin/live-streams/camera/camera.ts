/** Which devices are used; the browser's choice where one is left out. */
export interface ChosenDevices {
  camera?: string;
  microphone?: string;
}

const NO_CAMERA = 'Please connect a webcam or camera to your device.';
const NOT_ALLOWED = 'The browser does not let this page use the camera. Allow it in the settings of the page.';

/** A camera that cannot be used. The message is for people. */
export class CameraError extends Error {}

/** The picture that is asked for: what most platforms take without converting it. */
const CAMERA_SIZE = { width: { ideal: 1280 }, height: { ideal: 720 } };

/**
 * Turns a camera on, and a microphone where there is one.
 * @throws CameraError when there is no camera, or it may not be used
 */
export async function openCamera({ camera, microphone }: ChosenDevices): Promise<MediaStream> {
  const video = { ...CAMERA_SIZE, ...(camera && { deviceId: { exact: camera } }) };
  const audio = microphone ? { deviceId: { exact: microphone } } : true;
  const isMissing = (error: unknown) => error instanceof DOMException && error.name === 'NotFoundError';
  try {
    return await navigator.mediaDevices
      .getUserMedia({ video, audio })
      // It may be the microphone that is missing: a picture without sound is better than none.
      .catch((error) => {
        if (isMissing(error)) return navigator.mediaDevices.getUserMedia({ video });
        throw error;
      });
  } catch (error) {
    const isRefused = error instanceof DOMException && error.name === 'NotAllowedError';
    throw new CameraError(isRefused ? NOT_ALLOWED : NO_CAMERA);
  }
}

/** Turns a camera off. */
export function closeCamera(media: MediaStream): void {
  for (const track of media.getTracks()) track.stop();
}
