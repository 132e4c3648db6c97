import { FileProblem, type FileSnapshot, type Files } from '../../ports/files';

/** Returns null if the file does not exist. Otherwise throws like `Files.read`. */
export async function readIfThere(path: string, files: Pick<Files, 'read'>): Promise<FileSnapshot | null> {
  try {
    return await files.read(path);
  } catch (thrown) {
    if (thrown instanceof FileProblem && thrown.code === 'missing') return null;
    throw thrown;
  }
}
