/** Writes bits, with HEVC's escape bytes in the resulting bytes. */
class Bits {
  #text = '';

  put(value: number, count: number): this {
    this.#text += value.toString(2).padStart(count, '0').slice(-count);
    return this;
  }

  /** Exp-Golomb. */
  ue(value: number): this {
    const bits = (value + 1).toString(2);
    this.#text += '0'.repeat(bits.length - 1) + bits;
    return this;
  }

  raw(bits: string): this {
    this.#text += bits;
    return this;
  }

  get length(): number {
    return this.#text.length;
  }

  /** Ends with a one bit, and zeros up to the next byte. */
  end(): this {
    this.#text += '1';
    return this.align();
  }

  align(): this {
    while (this.#text.length % 8 > 0) this.#text += '0';
    return this;
  }

  bytes(): Buffer {
    return Buffer.from(this.#text.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  }
}

/** The arithmetic coder of HEVC (ITU-T H.265, 9.3), for terminating bins and for context-coded ones. */
class Cabac {
  #low = 0;
  #range = 510;
  #outstanding = 0;
  #isFirst = true;
  readonly #bits: Bits;

  constructor(bits: Bits) {
    this.#bits = bits;
  }

  #put(bit: number): void {
    if (this.#isFirst) this.#isFirst = false;
    else this.#bits.put(bit, 1);
    for (; this.#outstanding > 0; this.#outstanding--) this.#bits.put(1 - bit, 1);
  }

  #renormalize(): void {
    while (this.#range < 256) {
      if (this.#low < 256) this.#put(0);
      else if (this.#low >= 512) {
        this.#low -= 512;
        this.#put(1);
      } else {
        this.#low -= 256;
        this.#outstanding++;
      }
      this.#low *= 2;
      this.#range *= 2;
    }
  }

  /** Writes the most probable value of a bin, whose context gives the range of the least probable one. */
  likely(unlikely: (range: number) => number): void {
    this.#range -= unlikely(this.#range);
    this.#renormalize();
  }

  terminate(bin: number): void {
    this.#range -= 2;
    if (bin) {
      this.#low += this.#range;
      this.#range = 2;
      this.#renormalize();
      this.#put((this.#low >> 9) & 1);
      this.#bits.put(((this.#low >> 7) & 3) | 1, 2);
    } else this.#renormalize();
  }
}

const u16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const u32 = (value: number) => Buffer.concat([u16(value >>> 16), u16(value & 0xffff)]);
function box(type: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([u32(content.length + 8), Buffer.from(type, 'latin1'), content]);
}
const full = (type: string, flags: number, ...parts: Buffer[]) => box(type, u32(flags), ...parts);

/** A NAL unit of HEVC: its header, and its content with escapes. */
function unit(type: number, bits: Bits): Buffer {
  const escaped: number[] = [];
  for (const byte of bits.bytes()) {
    if (byte <= 3 && escaped.at(-1) === 0 && escaped.at(-2) === 0) escaped.push(3);
    escaped.push(byte);
  }
  return Buffer.concat([Buffer.from([type << 1, 1]), Buffer.from(escaped)]);
}

/** Profile "Main still picture", level 3. */
const profile = (bits: Bits) => bits.put(3, 8).put(0x1000, 16).put(0, 16).put(0x9000, 16).put(0, 32).put(90, 8);

/** Side length of a luma block; each is sent as raw samples. */
const BLOCK = 16;
/** Range of the least probable symbol by context state and two bits of the range: the first rows of table 9-52. */
const UNLIKELY = [
  [128, 176, 208, 240],
  [128, 167, 197, 227],
  [128, 158, 187, 216],
  [123, 150, 178, 205],
  [116, 142, 169, 195],
  [111, 135, 160, 185],
  [105, 128, 152, 175],
  [100, 122, 144, 166],
];

const parameterSets = (width: number, height: number) => [
  unit(
    32,
    profile(new Bits().put(0b0000_1_1, 6).put(0, 6).put(0b000_1, 4).put(0xffff, 16))
      .raw('1')
      .ue(0)
      .ue(0)
      .ue(0)
      .put(0, 6)
      .ue(0)
      .put(0, 2)
      .end(),
  ),
  unit(
    33,
    profile(new Bits().put(0b0000_000_1, 8))
      // Size, bit depth, and one image at a time.
      .ue(0)
      .ue(1)
      .ue(width)
      .ue(height)
      .put(0, 1)
      .ue(0)
      .ue(0)
      .ue(0)
      .put(1, 1)
      .ue(0)
      .ue(0)
      .ue(0)
      // Blocks of 16, transforms of 4 to 16.
      .ue(1)
      .ue(0)
      .ue(0)
      .ue(2)
      .ue(0)
      .ue(0)
      .put(0, 3)
      // Raw 8-bit samples in blocks of 16.
      .put(1, 1)
      .put(7, 4)
      .put(7, 4)
      .ue(1)
      .ue(0)
      .put(1, 1)
      .ue(0)
      .put(0, 5)
      .end(),
  ),
  unit(
    34,
    new Bits()
      .ue(0)
      .ue(0)
      .put(0, 7)
      .ue(0)
      .ue(0)
      .ue(0)
      .put(0, 3)
      .ue(0)
      .ue(0)
      .put(0, 7)
      .put(0b101, 3)
      .put(0, 2)
      .ue(0)
      .put(0, 2)
      .end(),
  ),
];

/** A color as Y, Cb and Cr. */
export type Ycc = readonly [number, number, number];

function slice(width: number, height: number, colorAt: (x: number, y: number) => Ycc): Buffer {
  const bits = new Bits().put(0b10, 2).ue(0).ue(2).ue(0).end();
  const blocks = (width / BLOCK) * (height / BLOCK);
  let cabac = new Cabac(bits);
  for (let index = 0; index < blocks; index++) {
    const color = colorAt((index % (width / BLOCK)) * BLOCK, Math.floor(index / (width / BLOCK)) * BLOCK);
    // One prediction block; raw samples.
    cabac.likely((range) => UNLIKELY[index]![(range >> 6) & 3]!);
    cabac.terminate(1);
    bits.align();
    for (const [part, value] of color.entries())
      for (let count = 0; count < (part === 0 ? BLOCK ** 2 : BLOCK ** 2 / 4); count++) bits.put(value, 8);
    cabac = new Cabac(bits);
    cabac.terminate(index === blocks - 1 ? 1 : 0);
  }
  return unit(19, bits.align());
}

/**
 * A HEIC image of at most eight blocks of 16 × 16 pixels, each with one color, as phones write it: with a rotation
 * property and a color profile.
 * @param turns quarter turns to the left for display
 */
export function heicOf(
  {
    width,
    height,
    turns = 0,
    profile: icc,
  }: { width: number; height: number; turns?: number; profile?: Buffer | undefined },
  colorAt: (x: number, y: number) => Ycc,
): Buffer {
  const sets = parameterSets(width, height);
  const arrays = sets.map((set, index) =>
    Buffer.concat([Buffer.from([0x80 | (32 + index)]), u16(1), u16(set.length), set]),
  );
  const config = Buffer.concat([
    Buffer.from('01031000000090000000000000', 'hex').subarray(0, 12),
    Buffer.from('5af000fcfdf8f800000f03', 'hex'),
    ...arrays,
  ]);
  const image = slice(width, height, colorAt);
  const data = Buffer.concat([u32(image.length), image]);
  const properties = [
    box('hvcC', config),
    full('ispe', 0, u32(width), u32(height)),
    box('irot', Buffer.from([turns])),
    ...(icc ? [box('colr', Buffer.from('prof'), icc)] : []),
  ];
  const used = Buffer.from(properties.map((_, index) => (index + 1) | (index === 0 ? 0x80 : 0)));
  const head = box('ftyp', Buffer.from('heic'), u32(0), Buffer.from('mif1heic'));
  const meta = (at: number) =>
    full(
      'meta',
      0,
      full('hdlr', 0, u32(0), Buffer.from('pict'), Buffer.alloc(13)),
      full('pitm', 0, u16(1)),
      full('iloc', 0, Buffer.from([0x44, 0]), u16(1), u16(1), u16(0), u16(1), u32(at), u32(data.length)),
      full('iinf', 0, u16(1), full('infe', 0x02000000, u16(1), u16(0), Buffer.from('hvc1\0'))),
      box('iprp', box('ipco', ...properties), full('ipma', 0, u32(1), u16(1), Buffer.from([used.length]), used)),
    );
  const at = head.length + meta(0).length + 8;
  return Buffer.concat([head, meta(at), box('mdat', data)]);
}
