import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { findSandbox } from '../../src/adapters/sandbox/findSandbox';
import { createTerminal, type PtyTerminal } from '../../src/adapters/terminal/ptyTerminal';
import { temporaryFolder, terminalContract } from './terminal.contract';

const shells = [
  ['bash', '/bin/bash'],
  ['sh', '/bin/sh'],
  ['zsh', process.env['ZSH'] ?? '/bin/zsh'],
] as const;

for (const [name, shell] of shells) {
  for (const [pty, confined] of [
    [true, false],
    [false, false],
    [true, true],
    [false, true],
  ] as const) {
    if (!fs.existsSync(shell)) continue;
    let made: PtyTerminal | undefined;
    terminalContract(
      `${name} ${pty ? 'on a pseudo-terminal' : 'over pipes'}${confined ? ' in a sandbox' : ''}`,
      async (context) => {
        const cwd = temporaryFolder();
        const outputs = temporaryFolder();
        const found = confined ? await findSandbox([cwd]) : undefined;
        if (found && 'none' in found) return context.skip(); // this machine does not support a sandbox
        made = createTerminal({
          cwd,
          outputFolder: path.join(outputs, 'made', 'later'),
          shell,
          pty,
          ...(found && { sandbox: async () => found.sandbox }),
        });
        await made.warm();
        assert.equal(made.fallback === undefined, pty);
        return { terminal: made, cwd };
      },
    );
  }
}
