import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { connect } from './connection.ts';

/** Passes messages between standard input and output and the server, until the input ends. */
export async function bridgeAgent(): Promise<void> {
  const { origin, token } = connect();
  const headers = { authorization: `Bearer ${token()}` };
  const remote = new StreamableHTTPClientTransport(new URL('/api/mcp', origin), { requestInit: { headers } });
  const local = new StdioServerTransport();
  const ended = Promise.withResolvers<void>();
  const close = async () => {
    await Promise.all([remote.close(), local.close()]);
    ended.resolve();
  };
  const report = (error: Error) => process.stderr.write(`enfilade: ${error.message}\n`);
  remote.onmessage = (message) => void local.send(message).catch(report);
  local.onmessage = (message) =>
    void remote.send(message).catch((error: Error) => {
      report(error);
      // Without a response, the agent would wait.
      if ('method' in message && 'id' in message)
        void local.send({ jsonrpc: '2.0', id: message.id, error: { code: -32_603, message: error.message } });
    });
  remote.onerror = report;
  local.onerror = report;
  process.stdin.once('end', () => void close());
  await remote.start();
  await local.start();
  await ended.promise;
}
