import { spawn } from 'node:child_process';
import type { ShellProcess, ShellStart } from './shellProcess';

/**
 * Starts a shell over pipes, in its own session and without a terminal: used for PowerShell and if node-pty cannot
 * load.
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
    // Must come first: without free file descriptors there are no pipes, and an unhandled error would crash the
    // process.
    child.once('error', reject);
    child.once('spawn', () => {
      child.stdout.setEncoding('utf8');
      child.stderr.setEncoding('utf8');
      child.stdin.on('error', () => {
        /* the shell exited during a write; onExit reports it */
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
