import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ListedSkill, Position, Skill, SkillFile, unreadable, Skills } from '../../core/ports/skill';
import { matchingRules, secretReads } from '../../core/risk/pathRules';
import { FileProblem } from '../../core/ports/files';
import { agentIgnoring } from '../files/agentIgnore';
import { fileProblemOf } from '../files/fileProblems';
import { decodeCharacters } from '../files/textEncoding';
import { findOutside, findSkillFiles, type FoundFile, type SkillPlaces } from './findSkillFiles';
import type { Reviewable, SkillReviews } from './skillReviews';
import { withCommas } from '../../core/text/withCommas';
import { withSlashes } from '../storage/diskPaths';

/** Larger files are not handwritten instructions, and would fill the model's context window. */
const maxFileBytes = 1024 * 1024;
const maxResources = 100;

/** For a thousand files, these take half the time of `fs.promises`. */
const [statOf, readWhole] = [promisify(fs.stat), promisify(fs.readFile)];

/**
 * How a file compares to what the user agreed to. `new`: never used. `agreed`: unchanged since its last use. `changed`:
 * different from its last use.
 */
export type SkillTrust = 'new' | 'agreed' | 'changed';

interface Read {
  readonly stamp: string;
  readonly skill: Skill | undefined;
}

/**
 * The skills of a workspace and of the user, from disk. They are searched on first use and cached until `changed` is
 * called.
 */
export class SkillFiles implements Skills {
  private skills: Promise<readonly Skill[]> | undefined;
  /** By absolute path: files that did not change on disk are not read again. */
  private readonly cache = new Map<string, Read>();
  private readonly absolute = new Map<string, string>();
  /** Same as `absolute`, for files that belong to skills and were requested. */
  private readonly pages = new Map<string, string>();
  /** Stamp of the files outside the workspace when they were found. */
  private outside = '';

  /** `others`: skills that are not in a file here. */
  constructor(
    private readonly places: SkillPlaces,
    private readonly reviews?: SkillReviews,
    private readonly others?: () => Promise<readonly Skill[]>,
  ) {}

  /** Starts to search them, so that a later call waits less. */
  search(): void {
    this.skills ??= this.load();
    // The later call fails, too.
    this.skills.catch(() => undefined);
  }

  /** Call this when one of the files may have changed. */
  changed(): void {
    this.skills = undefined;
  }

  /**
   * Rechecks files outside the workspace, which VS Code does not watch. Returns true if any of them changed, was added
   * or was removed; then all skills are searched again.
   */
  async lookOutside(): Promise<boolean> {
    await this.skills;
    if (!this.skills || (await stampOf(await findOutside(this.places))) === this.outside) return false;
    this.changed();
    return true;
  }

  /** Returns every skill that was found, in order of precedence, and why some of them are not used with this model. */
  async listAll(model = ''): Promise<ListedSkill[]> {
    const [skills, { listSkills }] = await Promise.all([
      (this.skills ??= this.load()),
      import('../../core/skills/listSkills'),
    ]);
    return listSkills(skills, {
      model,
      ...(this.reviews && { reviewed: { hashOf: (skill) => this.reviews!.hashOf(this.toReviewable(skill)) } }),
    });
  }

  /** Returns the skills that this model gets, and records the content of those that are used for the first time. */
  async listUsed(model: string): Promise<readonly Skill[]> {
    const skills = (await this.listAll(model)).filter(({ unused }) => unused === undefined).map(({ skill }) => skill);
    this.reviews?.use(skills.map((skill) => this.toReviewable(skill)));
    return skills;
  }

  /** Returns the absolute path of its file. */
  fileOf({ path: shown }: Pick<Reviewable, 'path'>): string | undefined {
    return this.absolute.get(shown) ?? this.pages.get(shown);
  }

  /**
   * Returns the skills that would be used with this model if they had not changed since their last use, and changed
   * pages.
   */
  async waiting(model: string): Promise<Reviewable[]> {
    return [
      ...(await this.listAll(model)).filter(({ waits }) => waits).map(({ skill }) => skill),
      ...(await this.changedPages()),
    ];
  }

  /**
   * Returns pages of Agent Skills that changed since the model was given them. Pages that it was never given are not
   * checked.
   */
  async changedPages(): Promise<Reviewable[]> {
    const skills = new Map(
      (await (this.skills ??= this.load())).flatMap((skill) =>
        this.hasPages(skill) ? [[this.folderOf(skill), skill] as const] : [],
      ),
    );
    const own = new Set(this.absolute.values());
    const pages = await Promise.all(
      (this.reviews?.paths ?? []).map(async (file) => {
        const skill = own.has(file) ? undefined : skillAbove(file, skills);
        return skill && this.page(skill, path.relative(this.folderOf(skill), file)).catch(() => undefined);
      }),
    );
    return pages.filter((page) => page !== undefined).filter((page) => this.trustOf(page) === 'changed');
  }

  trustOf(skill: Reviewable): SkillTrust {
    const agreed = this.reviews?.hashOf(this.toReviewable(skill));
    // A file that could not be read has no hash.
    if (agreed === undefined || skill.hash === '') return 'new';
    return agreed === skill.hash ? 'agreed' : 'changed';
  }

  /** Returns the text that the user agreed to; undefined if it is not stored. */
  agreedText(skill: Reviewable): string | undefined {
    return this.reviews?.textOf(this.toReviewable(skill));
  }

  /** Records that the user reviewed these. */
  agree(skills: readonly Reviewable[]): void {
    this.reviews?.agree(skills.map((skill) => this.toReviewable(skill)));
  }

  /** Returns the file as users agree to it, by its absolute path: many folders have an AGENTS.md. */
  toReviewable(skill: Reviewable): Reviewable {
    return { path: this.fileOf(skill) ?? skill.path, hash: skill.hash, source: skill.source };
  }

  async resources(skill: Skill): Promise<readonly string[]> {
    if (!this.hasPages(skill)) return [];
    const folder = this.folderOf(skill);
    const entries = await fs.promises.readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => withSlashes(path.relative(folder, path.join(entry.parentPath, entry.name))));
    const ignored = agentIgnoring();
    return files
      .filter(
        (file) =>
          !this.isLeftOut(path.join(folder, file), ignored) &&
          !/^SKILL\.md$/i.test(file) &&
          !file.split('/').includes('node_modules') &&
          !file.startsWith('.git/'),
      )
      .sort()
      .slice(0, maxResources);
  }

  /**
   * Reads a file of a skill. Its content is recorded at the first use; if it changed since, the user must review it
   * first.
   */
  async resource(skill: Skill, wanted: string): Promise<string> {
    const page = await this.page(skill, wanted);
    if (this.trustOf(page) === 'changed')
      throw new FileProblem(
        'not_permitted',
        `"${wanted}" of the skill ${skill.name} has changed since it was last used, so it is not shown until the user reviews the change, with "Waymark: Review Changed Skills" in VS Code or with "waymark skills --review". Continue without it, and say so.`,
      );
    this.reviews?.use([this.toReviewable(page)]);
    return page.source;
  }

  private async page(skill: Skill, wanted: string): Promise<Reviewable> {
    const missing = new FileProblem('missing', `The skill ${skill.name} has no file "${wanted}".`);
    if (!this.absolute.has(skill.path)) throw missing;
    const folder = await fs.promises.realpath(this.folderOf(skill));
    const real = await fs.promises.realpath(path.resolve(folder, wanted)).catch(() => {
      throw missing;
    });
    if (!real.startsWith(`${folder}${path.sep}`))
      throw new FileProblem('outside', `"${wanted}" is not a file of the skill ${skill.name}.`);
    if (this.isLeftOut(real))
      throw new FileProblem(
        'not_permitted',
        `"${wanted}" is excluded by .agentignore, so it is not shown as part of the skill.`,
      );
    if (matchingRules(path.relative(folder, real), secretReads).length > 0)
      throw new FileProblem(
        'outside',
        `"${wanted}" usually contains secrets, so it is not shown as part of the skill. Read it with another tool, which asks.`,
      );
    const { size, isPlain } = await fs.promises
      .stat(real)
      .then((stat) => ({ size: stat.size, isPlain: stat.isFile() }));
    if (!isPlain) throw missing;
    if (size > maxFileBytes)
      throw new FileProblem(
        'too_large',
        `"${wanted}" has ${withCommas(size)} bytes, too many to read at once. Read parts of it with other tools.`,
      );
    const bytes = await fs.promises.readFile(real);
    const source = decodeText(bytes);
    if (source === undefined)
      throw new FileProblem(
        'binary',
        `"${wanted}" is not UTF-8 text. A command can inspect it, or convert it, for example with "iconv".`,
      );
    const file = path.join(this.folderOf(skill), path.relative(folder, real));
    const shown = [...skill.path.split('/').slice(0, -1), withSlashes(path.relative(folder, real))].join('/');
    this.pages.set(shown, file);
    return { path: shown, hash: sha256(bytes), source };
  }

  /** Only the main file of an Agent Skill has pages: files around other skills may be skills themselves. */
  private hasPages(skill: Skill): boolean {
    return this.absolute.has(skill.path) && /(?:^|\/)SKILL\.md$/i.test(skill.path);
  }

  private isLeftOut(absolute: string, ignored = agentIgnoring()): boolean {
    return this.places.folders.some((folder) => ignored({ folder: path.resolve(folder), absolute }));
  }

  private folderOf(skill: Skill): string {
    return path.dirname(this.absolute.get(skill.path)!);
  }

  private async load(): Promise<readonly Skill[]> {
    const [{ files, outside }, others] = await Promise.all([findSkillFiles(this.places), this.others?.() ?? []]);
    // Taken before any file is read: one that changes meanwhile is noticed.
    this.outside = await stampOf(outside);
    // If there is nothing to read, the reader is not loaded.
    if (files.length === 0) return others;
    const { readSkill } = await import('../../core/skills/readSkill');
    const read = await inGroups(files, 64, async (file) => {
      const before = this.cache.get(file.absolute);
      const stat = await statIfThere(file.absolute);
      // Permissions and owner are included: they do not change the content, but what is known about it.
      const stamp = `${stat?.mtimeNs}:${stat?.mode}:${stat?.uid}:${stat?.size}:${file.path}`;
      if (before?.stamp === stamp) return before.skill;
      const skill = stat?.isFile() ? await this.read(file, stat.size, readSkill) : undefined;
      this.cache.set(file.absolute, { stamp, skill });
      return skill;
    });
    files.forEach((file) => this.absolute.set(file.path, file.absolute));
    return [...read.filter((skill) => skill !== undefined), ...others];
  }

  private async read(
    { absolute, ...file }: FoundFile,
    size: bigint,
    readSkill: (file: SkillFile) => Skill | undefined,
  ): Promise<Skill | undefined> {
    if (size > maxFileBytes)
      return unreadableSkill(
        readSkill({ ...file, text: '', hash: '' }),
        'too-large',
        `The file has ${withCommas(Number(size))} bytes. Files over 1 MB are not read.`,
      );
    const bytes = await readWhole(absolute).catch((thrown: unknown) => fileProblemOf(thrown, file.path));
    if (bytes instanceof FileProblem)
      return bytes.code === 'missing'
        ? undefined
        : unreadableSkill(readSkill({ ...file, text: '', hash: '' }), 'not-permitted', bytes.message);
    const text = decodeText(bytes);
    if (text === undefined)
      return unreadableSkill(
        readSkill({ ...file, text: '', hash: '' }),
        'not-utf8',
        'It is not UTF-8 text, so it is not read. Save it as UTF-8: in VS Code with "Change File Encoding".',
        placeOfDamage(bytes),
      );
    return readSkill({ ...file, text, hash: sha256(bytes) });
  }
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Returns the skill whose folder is the nearest one above a file. */
function skillAbove(file: string, skills: ReadonlyMap<string, Skill>): Skill | undefined {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const skill = skills.get(folder);
    if (skill || path.dirname(folder) === folder) return skill;
  }
}

const statIfThere = (file: string): Promise<fs.BigIntStats | undefined> =>
  statOf(file, { bigint: true }).catch(() => undefined);

/** Returns a text that changes whenever one of the files changes or the set of files does. */
async function stampOf(files: readonly FoundFile[]): Promise<string> {
  return JSON.stringify(
    await Promise.all(
      files.map(async ({ absolute }) => {
        const stat = await statIfThere(absolute);
        return [absolute, `${stat?.mtimeNs}:${stat?.size}`];
      }),
    ),
  );
}

function unreadableSkill(
  skill: Skill | undefined,
  code: (typeof unreadable)[number],
  message: string,
  at: Position = { line: 1, column: 1 },
): Skill | undefined {
  return skill && { ...skill, problems: [{ severity: 'error', code, message, from: at, to: at }] };
}

/**
 * Decodes UTF-8, or UTF-16 with a byte order mark; returns undefined for anything else, of which a model would read
 * only a part.
 */
function decodeText(bytes: Buffer): string | undefined {
  const read = decodeCharacters(bytes);
  return typeof read === 'string' || read.text.includes('\0') ? undefined : read.text;
}

/** Returns where an editor that decodes the file as UTF-8 shows the first invalid character. */
function placeOfDamage(bytes: Buffer): Position {
  const lines = bytes
    .toString('utf8')
    .split(/[\0\uFFFD]/, 1)[0]!
    .split('\n');
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}

async function inGroups<Item, Result>(
  items: readonly Item[],
  size: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let index = 0; index < items.length; index += size)
    results.push(...(await Promise.all(items.slice(index, index + size).map(work))));
  return results;
}
