/** First byte of an unfragmented text or binary message. */
const FIRST_BYTE = { text: 0x81, binary: 0x82 };

/** Encodes a WebSocket message once for many sockets. RFC 6455, section 5.2; servers do not mask. */
export function socketFrame(kind: keyof typeof FIRST_BYTE, payload: Uint8Array): Buffer {
  const { length } = payload;
  const header = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(header + length);
  frame[0] = FIRST_BYTE[kind];
  if (header === 2) frame[1] = length;
  else if (header === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeUInt32BE(0, 2);
    frame.writeUInt32BE(length, 6);
  }
  frame.set(payload, header);
  return frame;
}

/** Encodes a JSON message once for many sockets. */
export const jsonFrame = (message: object): Buffer => socketFrame('text', Buffer.from(JSON.stringify(message)));
