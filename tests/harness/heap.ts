import type { CDPSession } from 'playwright';

/** Heap node types of the program's own objects; compiled code and the engine's internal data vary by themselves. */
const KEPT = new Set(['object', 'closure', 'array', 'string', 'concatenated string', 'number', 'regexp', 'bigint']);

interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
  nodes: number[];
}

/** Bytes of a page's own objects after a garbage collection, without compiled code. */
export async function keptBytes(protocol: CDPSession): Promise<number> {
  const parts: string[] = [];
  const listen = ({ chunk }: { chunk: string }) => parts.push(chunk);
  protocol.on('HeapProfiler.addHeapSnapshotChunk', listen);
  await protocol.send('HeapProfiler.collectGarbage');
  await protocol.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  protocol.off('HeapProfiler.addHeapSnapshotChunk', listen);
  const { snapshot, nodes } = JSON.parse(parts.join('')) as Snapshot;
  const { node_fields: fields, node_types } = snapshot.meta;
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')];
  let bytes = 0;
  for (let node = 0; node < nodes.length; node += fields.length)
    if (KEPT.has(node_types[0][nodes[node + type]!]!)) bytes += nodes[node + size]!;
  return bytes;
}
