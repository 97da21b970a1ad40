/** Selected devices; the browser's choice if missing. */
export interface ChosenDevices {
  camera?: string;
  microphone?: string;
}

const NO_CAMERA = 'Please connect a webcam or camera to your device.';
const NOT_ALLOWED = 'The browser blocked the camera. Allow it in the site settings of the browser.';

/** The camera can't be used. The message is user-facing. */
export class CameraError extends Error {}

/** Requested video format, accepted by most platforms without transcoding. */
const CAMERA_SIZE = { width: { ideal: 1280 }, height: { ideal: 720 } };

/**
 * Starts the camera, and a microphone if there is one.
 * @throws CameraError if there is no camera or access is denied
 */
export async function openCamera({ camera, microphone }: ChosenDevices): Promise<MediaStream> {
  const video = { ...CAMERA_SIZE, ...(camera && { deviceId: { exact: camera } }) };
  const audio = microphone ? { deviceId: { exact: microphone } } : true;
  const isMissing = (error: unknown) => error instanceof DOMException && error.name === 'NotFoundError';
  try {
    return await navigator.mediaDevices
      .getUserMedia({ video, audio })
      // The microphone may be missing: video without audio beats no video.
      .catch((error) => {
        if (isMissing(error)) return navigator.mediaDevices.getUserMedia({ video });
        throw error;
      });
  } catch (error) {
    const isRefused = error instanceof DOMException && error.name === 'NotAllowedError';
    throw new CameraError(isRefused ? NOT_ALLOWED : NO_CAMERA);
  }
}

/** Stops a camera. */
export function closeCamera(media: MediaStream): void {
  for (const track of media.getTracks()) track.stop();
}
