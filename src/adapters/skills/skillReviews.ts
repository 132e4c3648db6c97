import fs from 'node:fs';
import path from 'node:path';
import type { Skill } from '../../core/ports/skill';
import { whileLocked } from '../storage/whileLocked';

/** A file that people look at before it counts: a skill, or a page of one. `path`: as it is shown, or absolute. */
export type Reviewable = Pick<Skill, 'path' | 'hash' | 'source'>;

/**
 * Hash of every file as it was when it was last used, with its text, so that a change
 * can be shown. Kept outside the workspace.
 */
export class SkillReviews {
  private hashes: Record<string, string> | undefined;

  /** `folder`: absolute, where texts and hashes are kept. */
  constructor(private readonly folder: string) {}

  /** The paths of all files that have a record. */
  get paths(): readonly string[] {
    return Object.keys(this.read());
  }

  hashOf({ path: file }: Pick<Skill, 'path'>): string | undefined {
    return this.read()[file];
  }

  /** Notes what is used for the first time. What changed is noted by `agree` alone. */
  use(skills: readonly Reviewable[]): void {
    this.note(
      skills.filter((skill) => this.hashOf(skill) === undefined),
      (skill) => this.hashOf(skill) === undefined,
    );
  }

  /** The person has looked at these. */
  agree(skills: readonly Reviewable[]): void {
    this.note(skills);
  }

  /** The text that was agreed to; undefined where it is not kept. */
  textOf(skill: Reviewable): string | undefined {
    const hash = this.hashOf(skill);
    try {
      return hash === undefined ? undefined : fs.readFileSync(path.join(this.folder, 'texts', hash), 'utf8');
    } catch {
      return undefined;
    }
  }

  /**
   * Another window may have written meanwhile: what it noted stays, and `wanted` is asked once that is known. What was
   * too large to be read has no hash, so there is nothing to note. Where nothing can be written it holds for this
   * process alone: then people are asked once more, and no run fails for it.
   */
  private note(given: readonly Reviewable[], wanted: (skill: Reviewable) => boolean = () => true): void {
    const skills = given.filter(({ hash }) => hash !== '');
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
