import { isSameState, type FileState, type Snapshot } from '../../core/changes/snapshot';
import { secrets } from '../../core/secrets/secrets';
import { couldChangeUnnoticed } from '../storage/folderStamps';
import { diskSnapshot, lstat } from './changeSource';
import { unkeptState, type CheckpointLimits } from './coverage';

/**
 * Maximum length of a cached text, in characters. Longer texts are read each time, since caching would double their
 * memory.
 */
const maxCachedLength = 256 * 1024;

/** Maximum length of all cached texts of a session. Beyond it the least recently used ones are evicted. */
const maxCachedCharacters = 32 * 1024 * 1024;

interface Seen {
  /** The timestamps, size and mode of the file. */
  readonly mark: FileState;
  /** Version of the known secrets. A file with a value that became known as a secret later has no copy. */
  readonly secretsVersion: number;
  readonly snapshot: Snapshot;
}

/** Cache of file contents. A file whose timestamps, size and mode are unchanged is not read again. */
export class SeenFiles {
  /** Ordered by use, the most recent last. */
  private readonly seen = new Map<string, Seen>();
  /** Total number of characters; each is one byte of a file. */
  private size = 0;

  /** Like `diskSnapshot`. `place`: a path that leads to `file`. */
  snapshot(
    { file, place, relative }: { readonly file: string; readonly place: string; readonly relative: string },
    limits: Pick<CheckpointLimits, 'maxFileBytes'>,
    known: FileState,
  ): Snapshot {
    const stat = lstat(place);
    const mark = stat ? unkeptState(stat) : null;
    const last = this.seen.get(file);
    this.forget(file);
    if (last?.secretsVersion === secrets.version && isSameState(last.mark, mark)) return this.remember(file, last);
    // A file that is being changed may keep its timestamps.
    const isSettled = stat !== undefined && !couldChangeUnnoticed(Math.max(stat.mtimeMs, stat.ctimeMs));
    const snapshot = diskSnapshot(place, relative, limits, known);
    if (isSettled && snapshot.text !== undefined && snapshot.text.length <= maxCachedLength)
      this.remember(file, { mark, secretsVersion: secrets.version, snapshot });
    return snapshot;
  }

  private remember(file: string, seen: Seen): Snapshot {
    this.seen.set(file, seen);
    this.size += cachedLength(seen);
    for (const oldest of this.seen.keys()) {
      if (this.size <= maxCachedCharacters) break;
      this.forget(oldest);
    }
    return seen.snapshot;
  }

  private forget(file: string): void {
    const known = this.seen.get(file);
    if (known) this.size -= cachedLength(known);
    this.seen.delete(file);
  }
}

const cachedLength = ({ snapshot }: Seen): number => snapshot.text?.length ?? 0;
