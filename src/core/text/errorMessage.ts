/** Returns the message of a thrown value, which need not be an `Error`. */
export const errorMessage = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

/** Returns the message of an error that is a part of a sentence, as a sentence. */
export const sentenceOf = ({ message }: Error): string =>
  `${message.charAt(0).toUpperCase()}${message.slice(1).replace(/\.$/, '')}.`;

/**
 * Explains how to free file descriptors. `ENFILE` is the limit of the whole machine; any other code is the limit of one
 * process. The text ends without a period.
 */
export const roomForOpenFiles = (code: string | undefined): string =>
  code === 'ENFILE'
    ? 'The whole machine has too many open: end other programs, or raise its limit (fs.file-max)'
    : 'Raise the limit for open files, for example with "ulimit -n 1024"';
