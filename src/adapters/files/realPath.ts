import fs from 'node:fs';
import path from 'node:path';

/** Resolves the links of a path. Returns the path itself if it does not exist. */
export function realPath(place: string): string {
  try {
    return fs.realpathSync(place);
  } catch {
    return place;
  }
}

/** Resolves the links in the folders of a file, but not the file itself, which may be a link. */
export function inRealFolder(file: string): string {
  try {
    return path.join(fs.realpathSync(path.dirname(file)), path.basename(file));
  } catch {
    return file;
  }
}
