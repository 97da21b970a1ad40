import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** Flags of authenticator data: user present, user verified, and attested credential data included. */
const FLAGS = { present: 1, verified: 4, attached: 64 };

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();

/** Head of a CBOR item (RFC 8949). */
function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])]);
}

/** A passkey in software, in place of a browser and its authenticator (WebAuthn level 3, sections 6 and 7). */
export class SoftwarePasskey {
  readonly id = randomBytes(32).toString('base64url');
  readonly #key: KeyObject;
  readonly #public: Buffer;
  readonly #site: URL;
  #count: number;

  /**
   * @param origin origin of the browser
   * @param count signature counter; 0 for an authenticator without one
   */
  constructor(origin: string, count = 0) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string };
    this.#key = privateKey;
    this.#public = cbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
    this.#site = new URL(origin);
    this.#count = count;
  }

  #data(flags: number, attached = Buffer.alloc(0)): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.#count);
    return Buffer.concat([sha256(this.#site.hostname), Buffer.from([flags]), count, attached]);
  }

  #client(type: string, challenge: unknown): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.#site.origin, crossOrigin: false }));
  }

  /** The response to the options for a new passkey. */
  create({ challenge }: Record<string, unknown>): Record<string, unknown> {
    const raw = Buffer.from(this.id, 'base64url');
    const attached = Buffer.concat([Buffer.alloc(16), Buffer.from([0, raw.length]), raw, this.#public]);
    const authData = this.#data(FLAGS.present | FLAGS.verified | FLAGS.attached, attached);
    const attestation = cbor(
      new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    );
    return this.#answer({
      clientDataJSON: this.#client('webauthn.create', challenge).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** The response to the options for a sign-in. @param isVerified whether the authenticator has verified the user */
  get({ challenge }: Record<string, unknown>, isVerified = true): Record<string, unknown> {
    if (this.#count > 0) this.#count++;
    const client = this.#client('webauthn.get', challenge);
    const authData = this.#data(FLAGS.present | (isVerified ? FLAGS.verified : 0));
    const signature = sign('sha256', Buffer.concat([authData, sha256(client)]), this.#key);
    return this.#answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  /** Sets the signature counter, as a cloned authenticator would. */
  setCount(count: number): void {
    this.#count = count;
  }

  #answer(response: object): Record<string, unknown> {
    return { id: this.id, rawId: this.id, type: 'public-key', response, clientExtensionResults: {} };
  }
}
