import path from 'node:path';
import { SkillReviews } from '../skills/skillReviews';
import { readHookFiles, type HookFile } from './hookFiles';

/**
 * Records which hooks files people approved, by hash of the file and of the scripts that it names. Stored outside the
 * workspace.
 */
export class HookConsent {
  private readonly reviews: SkillReviews;

  /** `folder`: absolute path. */
  constructor(folder: string) {
    this.reviews = new SkillReviews(folder);
  }

  /** Returns the hooks files of a folder and of the user, including approved ones that were deleted. */
  files(root: string, home?: string): Promise<HookFile[]> {
    return readHookFiles(root, home, (absolute) => this.agreedTo({ absolute }) !== undefined);
  }

  has(file: HookFile): boolean {
    return this.agreedTo(file) === file.hash;
  }

  /** Returns whether the file was approved, but has changed since or cannot be read. */
  isOutdated(file: HookFile): boolean {
    const known = this.agreedTo(file);
    return known !== undefined && known !== file.hash;
  }

  /** Returns the files that need a decision. */
  waiting(files: readonly HookFile[]): HookFile[] {
    return files.filter((file) => !this.has(file) && (file.hooks.length > 0 || this.isOutdated(file)));
  }

  /**
   * Approves the hooks in their current form. Revokes approvals of files that cannot be read, so that runs continue
   * without them.
   */
  agree(files: readonly HookFile[]): void {
    this.reviews.agree(files.filter(({ lost }) => lost === undefined).map(asReviewed));
    this.withdraw(files.filter(({ lost }) => lost !== undefined));
  }

  /** Copies approvals of a folder to a worktree of it, for files that are identical including their scripts. */
  async agreeAsIn(folder: string, worktree: string): Promise<void> {
    const files = await this.files(worktree);
    this.agree(
      files.filter(({ absolute, hash }) => {
        const relative = path.relative(worktree, absolute);
        const inFolder = this.agreedTo({ absolute: path.join(folder, relative) });
        return !relative.startsWith('..') && inFolder === hash;
      }),
    );
  }

  /** Revokes approvals: the hooks do not run until somebody approves them again. */
  withdraw(files: readonly HookFile[]): void {
    this.reviews.agree(files.map((file) => ({ ...asReviewed(file), hash: `${withdrawn}${file.hash}` })));
  }

  /** Returns the approved content, or undefined if there is none. */
  textOf(file: HookFile): string | undefined {
    return this.agreedTo(file) === undefined ? undefined : this.reviews.textOf(asReviewed(file));
  }

  private agreedTo({ absolute }: Pick<HookFile, 'absolute'>): string | undefined {
    const known = this.reviews.hashOf({ path: absolute });
    return known?.startsWith(withdrawn) ? undefined : known;
  }
}

const withdrawn = 'withdrawn-';

const asReviewed = ({ absolute, hash, source }: HookFile) => ({ path: absolute, hash, source });
