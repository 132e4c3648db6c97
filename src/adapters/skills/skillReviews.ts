import fs from 'node:fs';
import path from 'node:path';
import type { Skill } from '../../core/ports/skill';
import { whileLocked } from '../storage/fileLock';

/** A file that users review before it is used: a skill, or a page of one. `path`: displayed or absolute. */
export type Reviewable = Pick<Skill, 'path' | 'hash' | 'source'>;

/** Hash and text of every file at its last use, so that a change can be shown. Stored outside the workspace. */
export class SkillReviews {
  private hashes: Record<string, string> | undefined;

  /** `folder`: absolute path where texts and hashes are stored. */
  constructor(private readonly folder: string) {}

  /** Paths of all recorded files. */
  get paths(): readonly string[] {
    return Object.keys(this.read());
  }

  hashOf({ path: file }: Pick<Skill, 'path'>): string | undefined {
    return this.read()[file];
  }

  /** Records files that are used for the first time. Changes are recorded only by `agree`. */
  use(skills: readonly Reviewable[]): void {
    this.note(
      skills.filter((skill) => this.hashOf(skill) === undefined),
      (skill) => this.hashOf(skill) === undefined,
    );
  }

  /** Records that the user reviewed these. */
  agree(skills: readonly Reviewable[]): void {
    this.note(skills);
  }

  /** Returns the text that was agreed to; undefined if it is not stored. */
  textOf(skill: Reviewable): string | undefined {
    const hash = this.hashOf(skill);
    try {
      return hash === undefined ? undefined : fs.readFileSync(path.join(this.folder, 'texts', hash), 'utf8');
    } catch {
      return undefined;
    }
  }

  /**
   * Another window may have written meanwhile: its records are kept, and `wanted` is called after they are read. Files
   * too large to read have no hash and are not recorded. If nothing can be written, the record applies to this process
   * only: the user is asked again, and no run fails.
   */
  private note(reviewed: readonly Reviewable[], wanted: (skill: Reviewable) => boolean = () => true): void {
    const skills = reviewed.filter(({ hash }) => hash !== '');
    if (skills.length === 0) return;
    const before = this.hashes;
    const joined = (): Record<string, string> => {
      this.hashes = undefined;
      const known = (this.hashes = { ...before, ...this.read() });
      return (this.hashes = {
        ...known,
        ...Object.fromEntries(skills.filter(wanted).map(({ path: file, hash }) => [file, hash])),
      });
    };
    try {
      fs.mkdirSync(path.join(this.folder, 'texts'), { recursive: true, mode: 0o700 });
      whileLocked(`${this.file}.lock`, () => {
        for (const { hash, source } of skills) write(path.join(this.folder, 'texts', hash), source);
        write(this.file, JSON.stringify(joined()));
      });
    } catch {
      joined();
    }
  }

  private read(): Record<string, string> {
    if (this.hashes) return this.hashes;
    let known: unknown;
    try {
      known = JSON.parse(fs.readFileSync(this.file, 'utf8'));
    } catch {
      /* none yet */
    }
    return (this.hashes = typeof known === 'object' && known !== null ? (known as Record<string, string>) : {});
  }

  private get file(): string {
    return path.join(this.folder, 'hashes.json');
  }
}

function write(file: string, text: string): void {
  const next = `${file}.${process.pid}.new`;
  fs.writeFileSync(next, text, { mode: 0o600 });
  fs.renameSync(next, file);
}
