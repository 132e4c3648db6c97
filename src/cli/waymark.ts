#!/usr/bin/env node
// This file imports no part of the program outside of the try block: if one is missing, a message is printed.

// Node's own cache of compiled code stays off: by default it is in the folder for temporary files, where other users of
// the machine could put code. `scripts/build/keptCode.js` caches the code instead.
try {
  const { main } = await import('./main');
  await main();
} catch (error) {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const rooms: Readonly<Record<string, string>> = {
    EMFILE: 'Raise the limit, for example with "ulimit -n 1024"',
    ENFILE: 'The whole machine has too many open: end other programs, or raise its limit (fs.file-max)',
  };
  const room = rooms[code];
  process.stderr.write(
    room !== undefined
      ? `Too many files are open (${code}), so Waymark could not be loaded. ${room}, and try again.\n`
      : `A part of Waymark could not be loaded (${message.split('\n')[0]}). Install Waymark again, and try again.\n`,
  );
  process.exitCode = 1;
}

export {};
