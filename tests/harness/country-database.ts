/** Bits of an IPv4 address. */
const BITS = 32;
/** Marker before the metadata section. */
const METADATA = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')]);

const text = (value: string) => Buffer.concat([Buffer.from([0x40 | value.length]), Buffer.from(value)]);
const map = (entries: readonly (readonly [string, Buffer])[]) =>
  Buffer.concat([Buffer.from([0xe0 | entries.length]), ...entries.flatMap(([key, value]) => [text(key), value])]);
/** Numbers of 16, 32 and 64 bits have different types; the last one has an extra size byte. */
const uint16 = (value: number) => Buffer.from([0xa2, value >> 8, value & 0xff]);
const uint32 = (value: number) =>
  Buffer.from([0xc4, value >>> 24, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff]);
const uint64 = (value: number) => Buffer.from([0x01, 0x02, value]);
const array = (values: readonly Buffer[]) => Buffer.concat([Buffer.from([values.length, 0x04]), ...values]);

/**
 * A minimal country database for IPv4 addresses (MaxMind DB file format 2.0,
 * https://maxmind.github.io/MaxMind-DB/): a tree with 24-bit records, entries, and metadata.
 * @param networks countries by network, such as 203.0.113.0/24
 */
export function countryDatabase(networks: Record<string, string>): Buffer {
  type Node = [Node | number | null, Node | number | null];
  const root: Node = [null, null];
  const entries: Buffer[] = [];
  let size = 0;
  for (const [network, code] of Object.entries(networks)) {
    const [address = '', length] = network.split('/');
    const bits = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    const entry = map([['country', map([['iso_code', text(code)]])]]);
    let node = root;
    for (let depth = 0; depth < Number(length); depth++) {
      const side = Math.floor(bits / 2 ** (BITS - 1 - depth)) % 2;
      if (depth === Number(length) - 1) node[side] = size;
      else {
        const next = (node[side] ?? [null, null]) as Node;
        node[side] = next;
        node = next;
      }
    }
    entries.push(entry);
    size += entry.length;
  }
  const nodes: Node[] = [];
  const number = new Map<Node, number>();
  const visit = (node: Node): void => {
    number.set(node, nodes.push(node) - 1);
    for (const side of node) if (Array.isArray(side)) visit(side);
  };
  visit(root);
  const record = (side: Node[0]): Buffer => {
    const value = side === null ? nodes.length : Array.isArray(side) ? number.get(side)! : nodes.length + 16 + side;
    return Buffer.from([value >> 16, (value >> 8) & 0xff, value & 0xff]);
  };
  const description = map([
    ['binary_format_major_version', uint16(2)],
    ['binary_format_minor_version', uint16(0)],
    ['build_epoch', uint64(1)],
    ['database_type', text('Test-Country')],
    ['description', map([['en', text('Test')]])],
    ['ip_version', uint16(4)],
    ['languages', array([text('en')])],
    ['node_count', uint32(nodes.length)],
    ['record_size', uint16(24)],
  ]);
  const tree = nodes.flatMap(([left, right]) => [record(left), record(right)]);
  return Buffer.concat([...tree, Buffer.alloc(16), ...entries, METADATA, description]);
}
