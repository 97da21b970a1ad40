type Range = { from: number; to: number; by?: Buffer };

/** Attributes of EXR about who made it, where and when: https://openexr.com/en/latest/StandardAttributes.html */
const EXR_ABOUT = new Set(['owner', 'comments', 'capDate', 'utcOffset', 'longitude', 'latitude', 'altitude']);

/**
 * Where an EXR file tells about itself.
 * @param head its first bytes
 * @param attributes parts of them, by name
 */
export const aboutExr = (head: Buffer, attributes: ReadonlyMap<string, Buffer>): Range[] =>
  [...attributes].flatMap(([name, value]) => {
    const from = value.byteOffset - head.byteOffset;
    return EXR_ABOUT.has(name) && value.length > 0 ? [{ from, to: from + value.length }] : [];
  });

/** Lines of a Radiance header by which it is shown. */
const RADIANCE_SHOWN = /^(?:FORMAT|EXPOSURE|GAMMA|PRIMARIES|COLORCORR|PIXASPECT)=/;

/** Where a Radiance file tells about itself, by its first bytes: comments, and variables such as its owner. */
export function aboutRadiance(head: Buffer): Range[] {
  const ranges: Range[] = [];
  for (let at = head.indexOf('\n') + 1; at > 0 && at < head.length && head[at] !== 0x0a; ) {
    const end = head.indexOf('\n', at);
    if (end < 0) break;
    const line = head.toString('latin1', at, end);
    if (!RADIANCE_SHOWN.test(line)) ranges.push({ from: at, to: end, by: Buffer.alloc(end - at, '#') });
    at = end + 1;
  }
  return ranges;
}
