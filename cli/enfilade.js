#!/usr/bin/env node
// This file runs on any installed Node version and starts the pinned one.
import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

// Compile cache: without it, every start compiles TypeScript, which takes longer than most commands.
const cache = fileURLToPath(new URL('../node_modules/.cache/enfilade', import.meta.url));

function pinnedNode() {
  try {
    return realpathSync(createRequire(import.meta.url).resolve('node/bin/node'));
  } catch {
    process.stderr.write('enfilade: the Node of this project is missing. Run npm ci in its folder.\n');
    process.exit(2);
  }
}

const node = pinnedNode();
if (realpathSync(process.execPath) === node) {
  module.enableCompileCache(cache);
  await import(new URL('./main.ts', import.meta.url).href);
} else {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  // Ctrl-C reaches both processes; this one waits for the child.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}
