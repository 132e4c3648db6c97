#!/usr/bin/env node
// This file imports nothing before it can catch: where a part of the program is missing, that is told in words.
try {
  await import('./main');
} catch (error) {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const tooManyFiles = code === 'EMFILE' || code === 'ENFILE';
  process.stderr.write(
    tooManyFiles
      ? `Too many files are open (${code}), so that Waymark could not be loaded. Raise the limit, for example with "ulimit -n 1024", and try again.\n`
      : `A part of Waymark could not be loaded (${message.split('\n')[0]}). Install Waymark again, and try again.\n`,
  );
  process.exitCode = 1;
}

export {};
