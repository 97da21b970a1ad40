/**
 * The color byte of a visitor, derived from its reference and therefore the same everywhere. The part after the first
 * dot, which distinguishes a visitor's connections, is ignored. FNV-1a folded to a byte: RFC 9923.
 */
export function tintOf(ref: string): number {
  const [visitor = ''] = ref.split('.', 1);
  let hash = 0x811c9dc5;
  for (let index = 0; index < visitor.length; index++) hash = Math.imul(hash ^ visitor.charCodeAt(index), 0x01000193);
  hash ^= hash >>> 16;
  return (hash ^ (hash >>> 8)) & 255;
}
