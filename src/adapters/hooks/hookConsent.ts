import path from 'node:path';
import { SkillReviews } from '../skills/skillReviews';
import { readHookFiles, type HookFile } from './hookFiles';

/**
 * Which hooks files people agreed to, by hash of the file and of the scripts that it names. Kept outside the workspace.
 */
export class HookConsent {
  private readonly reviews: SkillReviews;

  /** `folder`: absolute. */
  constructor(folder: string) {
    this.reviews = new SkillReviews(folder);
  }

  /** The hooks files of a folder and of the person, those among them that were agreed to and are gone. */
  files(root: string, home?: string): Promise<HookFile[]> {
    return readHookFiles(root, home, (absolute) => this.agreedTo({ absolute }) !== undefined);
  }

  has(file: HookFile): boolean {
    return this.agreedTo(file) === file.hash;
  }

  /** It was agreed to, and is another now or cannot be read. */
  isOutdated(file: HookFile): boolean {
    const known = this.agreedTo(file);
    return known !== undefined && known !== file.hash;
  }

  /** Those that somebody has to decide on. */
  waiting(files: readonly HookFile[]): HookFile[] {
    return files.filter((file) => !this.has(file) && (file.hooks.length > 0 || this.isOutdated(file)));
  }

  /** Agrees to run the hooks as they are now, and to go on without those that cannot run. */
  agree(files: readonly HookFile[]): void {
    this.reviews.agree(files.filter(({ lost }) => lost === undefined).map(asReviewed));
    this.withdraw(files.filter(({ lost }) => lost !== undefined));
  }

  /** What was agreed to in a folder counts in a worktree of it, too, where the file and its scripts are the same. */
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

  /** They do not run any more, until somebody agrees again. */
  withdraw(files: readonly HookFile[]): void {
    this.reviews.agree(files.map((file) => ({ ...asReviewed(file), hash: `${withdrawn}${file.hash}` })));
  }

  /** What was agreed to; undefined where nothing was. */
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
