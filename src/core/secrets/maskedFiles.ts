import { FileProblem, type Files } from '../ports/files';
import { secrets } from './secrets';
import { MASK } from './secretShapes';
import { isDotenv, secretsOfDotenv } from './secretValues';

/**
 * Wraps `files`: learns the secrets of files that are read, and refuses to write a mask in place of the secret that it
 * hides.
 */
export function maskedFiles(files: Files): Files {
  return {
    list: (path, options) => files.list(path, options),
    readBytes: (path, most) => files.readBytes(path, most),
    move: (from, to, expected) => files.move(from, to, expected),
    remove: (path, expected) => files.remove(path, expected),
    async read(path) {
      const snapshot = await files.read(path);
      if (isDotenv(snapshot.path)) secrets.learn(...secretsOfDotenv(snapshot.text));
      return snapshot;
    },
    async write(changes) {
      for (const { path, text, expected } of changes) {
        const masks = timesIn(text ?? '');
        if (masks === 0 || masks <= (expected === null ? 0 : timesIn((await files.read(path)).text))) continue;
        throw new FileProblem(
          'not_permitted',
          `The new text of ${path} contains “${MASK}”, a placeholder for a secret that is hidden from you. Writing it would replace the secret with the placeholder, so nothing was written. Change only the lines around it, or let the program read the secret from its environment.`,
        );
      }
      return files.write(changes);
    },
  };
}

const timesIn = (text: string): number => text.split(MASK).length - 1;
