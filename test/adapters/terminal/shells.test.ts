import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { chooseShell } from '../../../src/adapters/terminal/shells';
import { temporaryFolder } from '../../contracts/terminal.contract';

/** Returns the shell that is chosen on a machine with these programs. */
function chosen(programs: readonly string[], own: string | undefined, wanted?: string): string {
  const bin = temporaryFolder();
  for (const name of programs) fs.writeFileSync(path.join(bin, name), '', { mode: 0o755 });
  const shell = own === undefined ? {} : { SHELL: path.join(bin, own) };
  return path.basename(chooseShell(wanted, { PATH: bin, ...shell }, temporaryFolder()).program);
}

describe('the shell for commands', () => {
  const all = ['bash', 'zsh', 'sh', 'dash', 'fish'];

  it("is the user's own", () => {
    for (const own of ['bash', 'zsh']) assert.equal(chosen(all, own), own);
  });

  it('is bash if their own is sh, for which models do not write, or is not supported', () => {
    for (const own of ['sh', 'dash', 'fish', undefined]) assert.equal(chosen(all, own), 'bash');
  });

  it('is sh if there is no bash', () => {
    assert.equal(chosen(['zsh', 'sh'], 'sh'), 'sh');
    assert.equal(chosen(['dash'], 'dash'), 'dash');
  });

  it('is the one that a setting names', () => {
    assert.equal(chosen(all, 'bash', 'sh'), 'sh');
  });

  it('is none of the workspace, and why there is none is said', () => {
    const bin = temporaryFolder();
    const failing = (workspace: string, unfiltered?: NodeJS.ProcessEnv) => () =>
      chooseShell(undefined, { PATH: unfiltered ? '' : bin }, workspace, unfiltered);
    assert.throws(failing(bin), /^Error: No shell was found: neither bash/);
    fs.writeFileSync(path.join(bin, 'zsh'), '', { mode: 0o755 });
    for (const unfiltered of [undefined, { PATH: bin }])
      assert.throws(failing(bin, unfiltered), ({ message }: Error) =>
        message.startsWith(`No shell can be used: ${path.join(bin, 'zsh')} is inside the folder`),
      );
  });
});
