import { type AddCommand, examples } from './command.ts';

export const mcp: AddCommand = (program) => {
  program
    .command('mcp')
    .description('connect an agent that speaks the Model Context Protocol over standard input and output to a server')
    .addHelpText(
      'after',
      `${examples('enfilade mcp')}

Agents that support HTTP can connect to /api/mcp of the server directly, with an API key as a bearer token.`,
    )
    .action(async () => {
      const { bridgeAgent } = await import('./bridge-agent.ts');
      await bridgeAgent();
    });
};
