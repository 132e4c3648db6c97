import { FileProblem } from '../../core/ports/files';
import { errorMessage } from '../../core/text/errorMessage';

interface SystemError extends Error {
  code?: string;
}

/** Returns the code of a system error, such as "ENOENT"; undefined for anything else. */
export function errorCode(thrown: unknown): string | undefined {
  return thrown instanceof Error ? (thrown as SystemError).code : undefined;
}

/** Turns an error of the operating system into a helpful message. Returns a `FileProblem` unchanged. */
export function fileProblemOf(thrown: unknown, display: string): FileProblem {
  if (thrown instanceof FileProblem) return thrown;
  switch (errorCode(thrown)) {
    case 'ENOENT':
      return new FileProblem('missing', `There is no file ${display}.`);
    case 'ENOTDIR':
      return new FileProblem('missing', `There is no ${display}: a part of its path is a file, not a folder.`);
    case 'EISDIR':
      return new FileProblem('folder', `${display} is a folder. Name a file in it.`);
    case 'EACCES':
    case 'EPERM':
      return new FileProblem(
        'not_permitted',
        `The operating system denied access to ${display}. A person has to change its permissions.`,
      );
    case 'EROFS':
      return new FileProblem(
        'not_permitted',
        `${display} is on a read-only file system and was not changed. Write elsewhere or ask a person to make it writable.`,
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return new FileProblem(
        'no_space',
        `The disk is full: ${display} was not changed. Free some space, then try again.`,
      );
    case 'EFBIG':
      return new FileProblem(
        'no_space',
        `The file size limit was reached: ${display} was not changed. Write less, or ask a person to raise the limit (ulimit -f).`,
      );
    case 'ENAMETOOLONG':
      return new FileProblem(
        'not_permitted',
        `The path ${shortenMiddle(display)} is longer than the file system allows. Use shorter names.`,
      );
    case 'ELOOP':
      return new FileProblem('not_permitted', `${display} is a link that points back to itself. Name a real file.`);
    case 'EMFILE':
    case 'ENFILE':
      return Object.assign(
        new FileProblem(
          'not_permitted',
          `${display} could not be opened: too many files are open on this machine. Try again when other work has ended.`,
        ),
        { cause: thrown },
      );
    case 'ENXIO':
    case 'ENODEV':
      return new FileProblem('special', `${display} is not a regular file and was not opened.`);
    default:
      return new FileProblem('not_permitted', `${display} could not be used: ${errorMessage(thrown)}.`);
  }
}

/** Retries `work` with a growing delay while the machine has no free file descriptor. */
export async function whenDescriptorsAllow<Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (thrown) {
      const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
      if (attempt === 6 || !['EMFILE', 'ENFILE'].includes(errorCode(cause) ?? '')) throw thrown;
      await new Promise((resolve) => setTimeout(resolve, 20 * attempt));
    }
  }
}

function shortenMiddle(display: string): string {
  return display.length > 120 ? `${display.slice(0, 60)}…${display.slice(-50)}` : display;
}
