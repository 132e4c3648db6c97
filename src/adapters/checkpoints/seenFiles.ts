import { isSameState, type FileState } from '../../core/changes/fileState';
import type { Snapshot } from '../../core/changes/snapshot';
import { secrets } from '../../core/secrets/secrets';
import { couldChangeUnseen } from '../storage/folderStamps';
import { diskSnapshot, lstat } from './changeSource';
import { unkeptState, type CheckpointLimits } from './coverage';

/** A longer text is read at each look: it would take the memory twice. Characters. */
const longestKept = 256 * 1024;

interface Seen {
  /** Its times, size and mode. */
  readonly mark: FileState;
  /** A file that holds a value which became known as a secret since is a file without a copy. */
  readonly secretsVersion: number;
  readonly snapshot: Snapshot;
}

/** What files held at the last look. One whose times, size and mode are the same is not read again. */
export class SeenFiles {
  private readonly seen = new Map<string, Seen>();

  /** As `diskSnapshot`. `place`: a path that leads to `file`. */
  snapshot(
    file: string,
    place: string,
    relative: string,
    limits: Pick<CheckpointLimits, 'largestFile'>,
    known: FileState,
  ): Snapshot {
    const stat = lstat(place);
    const mark = stat ? unkeptState(stat) : null;
    const last = this.seen.get(file);
    if (last?.secretsVersion === secrets.version && isSameState(last.mark, mark)) return last.snapshot;
    // A file that changes right now may keep its times.
    const isSettled = stat !== undefined && !couldChangeUnseen(Math.max(stat.mtimeMs, stat.ctimeMs));
    const snapshot = diskSnapshot(place, relative, limits, known);
    if (isSettled && snapshot.text !== undefined && snapshot.text.length <= longestKept)
      this.seen.set(file, { mark, secretsVersion: secrets.version, snapshot });
    else this.seen.delete(file);
    return snapshot;
  }
}
