import { spawn } from 'node:child_process';
import { codeCommand, desktopExecutable, hasScreen } from '../host/desktop.mjs';
import { root } from '../repository.mjs';

/** Opens desktop VS Code on `folder` with this clone's Waymark; returns false if it is not installed. */
export async function openDesktop(folder) {
  if (!hasScreen()) return false;
  const installed = codeCommand();
  const program = installed ?? (await desktopExecutable());
  if (!program) return false;
  const args = ['--new-window', `--extensionDevelopmentPath=${root}`, folder];
  await new Promise((resolve, reject) => {
    // On Windows `code` is a batch file, which only a shell can start; its arguments are our own paths.
    const child = spawn(
      process.platform === 'win32' && installed ? `"${program}"` : program,
      args.map((arg) => (process.platform === 'win32' && installed ? `"${arg}"` : arg)),
      { detached: true, stdio: 'ignore', shell: process.platform === 'win32' && Boolean(installed) },
    );
    child.once('error', reject).once('spawn', () => {
      child.unref();
      resolve();
    });
  });
  console.log(
    `VS Code opens on ${folder}\nClick the Waymark icon in the activity bar, choose the tutorial model and give it the task in the folder's README.`,
  );
  return true;
}
