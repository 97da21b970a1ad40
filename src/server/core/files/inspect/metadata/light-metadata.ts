type Range = { from: number; to: number; by?: Buffer };

/** EXR attributes about author, place and time: https://openexr.com/en/latest/StandardAttributes.html */
const EXR_ABOUT = new Set(['owner', 'comments', 'capDate', 'utcOffset', 'longitude', 'latitude', 'altitude']);

/**
 * Metadata ranges of an EXR file.
 * @param head its first bytes
 * @param attributes slices of them by name
 */
export const aboutExr = (head: Buffer, attributes: ReadonlyMap<string, Buffer>): Range[] =>
  [...attributes].flatMap(([name, value]) => {
    const from = value.byteOffset - head.byteOffset;
    return EXR_ABOUT.has(name) && value.length > 0 ? [{ from, to: from + value.length }] : [];
  });

/** Radiance header lines needed for display. */
const RADIANCE_SHOWN = /^(?:FORMAT|EXPOSURE|GAMMA|PRIMARIES|COLORCORR|PIXASPECT)=/;

/** Metadata ranges in a Radiance file's head: comments, and variables such as its owner. */
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
