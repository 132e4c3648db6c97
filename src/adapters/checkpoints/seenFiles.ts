import { isSameState, type FileState } from '../../core/changes/fileState';
import type { Snapshot } from '../../core/changes/snapshot';
import { secrets } from '../../core/secrets/secrets';
import { couldChangeUnseen } from '../storage/folderStamps';
import { diskSnapshot, lstat } from './changeSource';
import { unkeptState, type CheckpointLimits } from './coverage';

/** A longer text is read at each look: it would take the memory twice. Characters. */
const longestKept = 256 * 1024;

/** All texts of a session together. Where they are more, those that were not looked at for longest are read again. */
const mostKept = 32 * 1024 * 1024;

interface Seen {
  /** Its times, size and mode. */
  readonly mark: FileState;
  /** A file that holds a value which became known as a secret since is a file without a copy. */
  readonly secretsVersion: number;
  readonly snapshot: Snapshot;
}

/** What files held at the last look. One whose times, size and mode are the same is not read again. */
export class SeenFiles {
  /** The one that was looked at last is the last. */
  private readonly seen = new Map<string, Seen>();
  /** Characters of all of them; each is a byte of a file. */
  private size = 0;

  constructor(private readonly most = mostKept) {}

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
    this.forget(file);
    if (last?.secretsVersion === secrets.version && isSameState(last.mark, mark)) return this.keep(file, last);
    // A file that changes right now may keep its times.
    const isSettled = stat !== undefined && !couldChangeUnseen(Math.max(stat.mtimeMs, stat.ctimeMs));
    const snapshot = diskSnapshot(place, relative, limits, known);
    if (isSettled && snapshot.text !== undefined && snapshot.text.length <= longestKept)
      this.keep(file, { mark, secretsVersion: secrets.version, snapshot });
    return snapshot;
  }

  private keep(file: string, seen: Seen): Snapshot {
    this.seen.set(file, seen);
    this.size += sizeOf(seen);
    for (const oldest of this.seen.keys()) {
      if (this.size <= this.most) break;
      this.forget(oldest);
    }
    return seen.snapshot;
  }

  private forget(file: string): void {
    const known = this.seen.get(file);
    if (known) this.size -= sizeOf(known);
    this.seen.delete(file);
  }
}

const sizeOf = ({ snapshot }: Seen): number => snapshot.text?.length ?? 0;
