import { spawn } from 'node:child_process';
import type { ShellProcess, ShellStart } from './shellProcess';

/**
 * A shell over pipes, in a session of its own and without a terminal: what is left
 * when node-pty cannot load, and PowerShell.
 */
export function startPipeShell(start: ShellStart): Promise<ShellProcess> {
  const child = spawn(start.program, start.arguments, {
    cwd: start.cwd,
    env: start.environment,
    detached: process.platform !== 'win32',
    stdio: 'pipe',
    windowsHide: true,
  });
  return new Promise((resolve, reject) => {
    // First of all: without free file descriptors there are no pipes, and an error
    // that nobody hears would end the program.
    child.once('error', reject);
    child.once('spawn', () => {
      child.stdout.setEncoding('utf8');
      child.stderr.setEncoding('utf8');
      child.stdin.on('error', () => {
        /* the shell ended while it was spoken to; onExit says so */
      });
      child.removeListener('error', reject);
      child.on('error', () => {
        /* a signal could not be sent */
      });
      resolve({
        pid: child.pid ?? -1,
        device: undefined,
        send: (lines) => {
          if (child.stdin.writable) child.stdin.write(lines);
        },
        onReply: (listener) => {
          child.stdout.on('data', listener);
          child.stderr.on('data', listener);
        },
        onExit: (listener) => {
          child.once('exit', (code) => listener(code));
        },
        close: () => {
          child.stdin.destroy();
          child.stdout.destroy();
          child.stderr.destroy();
        },
      });
    });
  });
}
