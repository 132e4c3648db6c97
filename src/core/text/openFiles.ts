/**
 * Explains how to free file descriptors. `ENFILE` is the limit of the whole machine; any other code is the limit of one
 * process. The text ends without a period.
 */
export const roomForOpenFiles = (code: string | undefined): string =>
  code === 'ENFILE'
    ? 'The whole machine has too many open: end other programs, or raise its limit (fs.file-max)'
    : 'Raise the limit for open files, for example with "ulimit -n 1024"';
