import { useEffect, useState } from 'react';
import { offerByWhip, offerToWowza, SendingError, type SessionAnswer, type WowzaStream } from './offer.ts';

/** Target of a camera stream. */
interface CameraTarget {
  /** WHIP endpoint (https) or Wowza WebSocket (wss). */
  address: string;
  /** Stream id, for Wowza. */
  stream: WowzaStream;
}

/** ICE gathering timeout in milliseconds; candidates found by then are offered. */
const GATHERING = 2_000;

/** Connection timeout in milliseconds. */
const CONNECTING = 15_000;

/** Waits for ICE gathering, since neither protocol supports trickle ICE. */
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

/** Prefers H.264, which HLS platforms pass through. */
function preferH264(transceiver: RTCRtpTransceiver): void {
  const codecs = RTCRtpSender.getCapabilities('video')?.codecs ?? [];
  const isH264 = ({ mimeType }: RTCRtpCodec) => mimeType.toLowerCase() === 'video/h264';
  transceiver.setCodecPreferences([...codecs.filter(isH264), ...codecs.filter((codec) => !isH264(codec))]);
}

/** Waits until the connection is established. @throws SendingError on failure or timeout */
function connected(connection: RTCPeerConnection): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = () => reject(new SendingError('Could not connect to the platform.'));
  const look = () => {
    if (connection.connectionState === 'connected') resolve();
    if (connection.connectionState === 'failed' || connection.connectionState === 'closed') fail();
  };
  connection.addEventListener('connectionstatechange', look);
  look();
  const timer = setTimeout(fail, CONNECTING);
  return promise.finally(() => clearTimeout(timer));
}

/** An active camera stream. */
interface Publication {
  /** Resolves when the connection breaks, not when it is stopped. */
  readonly lost: Promise<void>;
  /** Ends the connection and notifies the platform. The camera stays on. */
  end(): void;
}

/**
 * Sends a camera to a platform over WebRTC.
 * @param media video and, if available, audio
 * @returns when media flows
 * @throws SendingError if the platform is unreachable or refuses
 */
async function publishCamera(
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

/** State of the camera stream. */
type Sending = { state: 'off' } | { state: 'connecting' | 'sending' } | { state: 'failed'; message: string };

/** Retry delays in milliseconds after a broken connection. */
const RETRIES = [1000, 2000, 4000, 8000, 16_000];

/**
 * Publishes a camera while there is one. Reconnects broken connections; reports failed ones.
 * @param media camera stream; null stops
 * @param attempt increment to retry after a failure
 */
export function usePublication(media: MediaStream | null, target: CameraTarget, attempt: number): Sending {
  const [sending, setSending] = useState<Sending>({ state: 'off' });
  const { address, stream } = target;
  const { application, name } = stream;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` triggers a retry.
  useEffect(() => {
    if (!media) {
      setSending({ state: 'off' });
      return;
    }
    const ended = new AbortController();
    const { signal } = ended;
    const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    const send = async () => {
      let hasSent = false;
      let failures = 0;
      while (!signal.aborted) {
        setSending({ state: 'connecting' });
        try {
          const publication = await publishCamera(media, { address, stream: { application, name } }, signal);
          signal.addEventListener('abort', () => publication.end(), { once: true });
          hasSent = true;
          failures = 0;
          setSending({ state: 'sending' });
          await publication.lost;
          publication.end();
        } catch (error) {
          if (signal.aborted) return;
          const pause = hasSent ? RETRIES[failures++] : undefined;
          if (pause === undefined) return setSending({ state: 'failed', message: (error as Error).message });
          await wait(pause);
        }
      }
    };
    void send();
    return () => ended.abort();
  }, [media, address, application, name, attempt]);
  return sending;
}
