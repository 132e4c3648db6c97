import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { createTerminal, type PtyTerminal } from '../../src/adapters/ptyTerminal';
import { temporaryFolder, terminalContract } from './terminal.contract';

const shells = [['bash', '/bin/bash'], ['sh', '/bin/sh'], ['zsh', process.env['ZSH'] ?? '/bin/zsh']] as const;

for (const [name, shell] of shells) {
  for (const pty of [true, false]) {
    if (!fs.existsSync(shell)) continue;
    let made: PtyTerminal | undefined;
    terminalContract(`${name} ${pty ? 'on a pseudo-terminal' : 'over pipes'}`, async () => {
      const cwd = temporaryFolder();
      const outputs = temporaryFolder();
      made = createTerminal({ cwd, outputFolder: path.join(outputs, 'made', 'later'), shell, pty });
      await made.warm();
      assert.equal(made.fallback === undefined, pty);
      return { terminal: made, cwd };
    });
  }
}
