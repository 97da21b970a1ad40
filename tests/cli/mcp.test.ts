import { join } from 'node:path';
import { Client as McpClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allPolicies } from '../../src/server/features/organizations/service.ts';
import { ApiApp } from '../harness/api-app.ts';

const ROOT = join(import.meta.dirname, '../..');

let api: ApiApp;
beforeAll(async () => {
  api = await ApiApp.start('sqlite');
});
afterAll(() => api.close());

/** An agent that speaks over standard input and output. */
async function agentWith(key: string): Promise<McpClient> {
  const agent = new McpClient({ name: 'test', version: '1' });
  const env = { PATH: process.env.PATH ?? '', ENFILADE_URL: api.origin, ENFILADE_KEY: key };
  const args = [join(ROOT, 'cli/enfilade.js'), 'mcp'];
  await agent.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  return agent;
}

it('connects an agent to the server, until the agent ends', async () => {
  const { key } = await api.client().apiKeys.create({ body: { name: 'Agent', policies: allPolicies() } });
  const agent = await agentWith(key);
  const { tools } = await agent.listTools();
  expect(tools.map(({ name }) => name)).toContain('change_space');
  await agent.callTool({ name: 'create_space', arguments: { title: 'From the bridge' } });
  expect((await api.client().rooms.list()).data.map(({ title }) => title)).toContain('From the bridge');
  await agent.close();
});

it('tells the agent when the key is refused', async () => {
  await expect(agentWith(`enf_${'x'.repeat(43)}`)).rejects.toThrow();
});
