import { SkillReviews } from '../skills/skillReviews';
import type { HookFile } from './hookFiles';

/** Which hooks files people agreed to, by hash of the file and of the scripts that it names. Kept outside the workspace. */
export class HookConsent {
  private readonly reviews: SkillReviews;

  /** `folder`: absolute. */
  constructor(folder: string) { this.reviews = new SkillReviews(folder); }

  has(file: HookFile): boolean { return this.reviews.hashOf(asReviewed(file)) === file.hash; }

  /** It was agreed to once, and is another now. */
  isOutdated(file: HookFile): boolean { const known = this.reviews.hashOf(asReviewed(file)); return known !== undefined && known !== file.hash; }

  agree(files: readonly HookFile[]): void { this.reviews.agree(files.map(asReviewed)); }

  /** They do not run any more, until somebody agrees again. */
  withdraw(files: readonly HookFile[]): void { this.reviews.agree(files.map(file => ({ ...asReviewed(file), hash: `withdrawn-${file.hash}` }))); }

  /** What was agreed to; undefined where nothing was. */
  textOf(file: HookFile): string | undefined { return this.reviews.textOf(asReviewed(file)); }
}

const asReviewed = ({ absolute, hash, source }: HookFile) => ({ path: absolute, hash, source });
