import { SendingError, type SessionAnswer } from './answer.ts';
import { offerByWhip } from './whip.ts';
import { offerToWowza, type WowzaStream } from './wowza-session.ts';

/** Where a camera is sent to. */
export interface CameraTarget {
  /** A WHIP endpoint (https), or Wowza's socket (wss). */
  address: string;
  /** Which stream it is, for Wowza's socket. */
  stream: WowzaStream;
}

/** Milliseconds for which this browser's own addresses are looked for; what was found by then is offered. */
const GATHERING = 2_000;

/** Milliseconds until an agreed connection has to stand. */
const CONNECTING = 15_000;

/** Waits until the browser knows how it can be reached: neither protocol takes that later. */
async function gathered(connection: RTCPeerConnection): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => connection.iceGatheringState === 'complete' && resolve();
  connection.addEventListener('icegatheringstatechange', look);
  look();
  const timer = setTimeout(resolve, GATHERING);
  await promise;
  clearTimeout(timer);
  return connection.localDescription!.sdp;
}

/** Puts H.264 first: platforms that hand it on as HLS take it as it is. */
function preferH264(transceiver: RTCRtpTransceiver): void {
  const codecs = RTCRtpSender.getCapabilities('video')?.codecs ?? [];
  const isH264 = ({ mimeType }: RTCRtpCodec) => mimeType.toLowerCase() === 'video/h264';
  transceiver.setCodecPreferences([...codecs.filter(isH264), ...codecs.filter((codec) => !isH264(codec))]);
}

/** Waits until media can flow. @throws SendingError when that fails, or takes too long */
function connected(connection: RTCPeerConnection): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = () => reject(new SendingError('The connection to the platform could not be made.'));
  const look = () => {
    if (connection.connectionState === 'connected') resolve();
    if (connection.connectionState === 'failed' || connection.connectionState === 'closed') fail();
  };
  connection.addEventListener('connectionstatechange', look);
  look();
  const timer = setTimeout(fail, CONNECTING);
  return promise.finally(() => clearTimeout(timer));
}

/** A camera that is being sent. */
export interface Publication {
  /** Fulfilled when the connection breaks; not when it is ended. */
  readonly lost: Promise<void>;
  /** Ends the connection and tells the platform. The camera goes on. */
  end(): void;
}

/**
 * Sends a camera to a platform over WebRTC.
 * @param media its picture and, where there is a microphone, its sound
 * @returns when media flows
 * @throws SendingError when the platform cannot be reached, or refuses
 */
export async function publishCamera(
  media: MediaStream,
  { address, stream }: CameraTarget,
  signal: AbortSignal,
): Promise<Publication> {
  const connection = new RTCPeerConnection();
  let answer: SessionAnswer | undefined;
  const end = () => {
    connection.close();
    answer?.end();
  };
  try {
    for (const track of media.getTracks()) {
      const transceiver = connection.addTransceiver(track, { direction: 'sendonly', streams: [media] });
      if (track.kind === 'video') preferH264(transceiver);
    }
    await connection.setLocalDescription();
    const offer = await gathered(connection);
    signal.throwIfAborted();
    answer = address.startsWith('wss:')
      ? await offerToWowza(address, offer, stream, signal)
      : await offerByWhip(address, offer, signal);
    await connection.setRemoteDescription({ type: 'answer', sdp: answer.sdp });
    for (const candidate of answer.candidates) await connection.addIceCandidate(candidate);
    await connected(connection);
    signal.throwIfAborted();
  } catch (error) {
    end();
    throw error;
  }
  const { promise: lost, resolve } = Promise.withResolvers<void>();
  connection.addEventListener('connectionstatechange', () => connection.connectionState === 'failed' && resolve());
  return { lost, end };
}
