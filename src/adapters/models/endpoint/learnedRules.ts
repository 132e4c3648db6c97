import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { WireRules } from '../../../core/model/providers/provider';
import type { VersionedRules } from '../requests/requestWriter';
import { ofSession, rulesAfter, type Lesson, isLesson } from './lessons';
import { makeFolders } from '../../storage/durableFile';
import { stateFolder } from '../../storage/stateFolder';

/** Keeps what was learned about servers for later sessions. `server`: its request address and the model. */
export interface LessonMemory {
  read(server: string): readonly Lesson[];
  add(server: string, lesson: Lesson): void;
  remove(server: string, lesson: Lesson): void;
}

/** The rules for writing requests to one server: its usual rules, changed by what it was found to require. */
export class LearnedRules {
  private readonly lessons: Set<Lesson>;
  /** Lessons that no accepted request has confirmed yet. */
  private readonly unproven = new Set<Lesson>();
  private current: VersionedRules;

  /** `server`: as in `LessonMemory`. Without a `memory`, the lessons are forgotten with this object. */
  constructor(
    private readonly usual: WireRules,
    private readonly server: string,
    private readonly memory: LessonMemory | undefined,
  ) {
    this.lessons = new Set(memory?.read(server));
    this.current = this.rulesNow();
  }

  get manner(): VersionedRules {
    return this.current;
  }

  get learnedLessons(): ReadonlySet<Lesson> {
    return this.lessons;
  }

  learn(lesson: Lesson): void {
    this.lessons.add(lesson);
    this.current = this.rulesNow();
    this.unproven.add(lesson);
  }

  /** Saves the new lessons for later sessions. Call it when the server accepted a request that follows them. */
  keep(): void {
    for (const lesson of this.unproven) if (!ofSession.has(lesson)) this.memory?.add(this.server, lesson);
    this.unproven.clear();
  }

  /** Forgets the new lessons. Call it when the server refused even a request that follows them: they did not help. */
  forgetUnproven(): void {
    for (const lesson of this.unproven) this.lessons.delete(lesson);
    this.unproven.clear();
    this.current = this.rulesNow();
  }

  /** Forgets a lesson, also for later sessions. */
  forget(lesson: Lesson): void {
    this.lessons.delete(lesson);
    if (!this.unproven.delete(lesson)) this.memory?.remove(this.server, lesson);
    this.current = this.rulesNow();
  }

  private rulesNow(): VersionedRules {
    return { rules: rulesAfter(this.usual, this.lessons), version: [...this.lessons].join() };
  }
}

/** When each lesson was learned, in ms since 1970, by server. */
const StoredLessons = z.record(z.string(), z.record(z.string(), z.number()));

/** Servers are updated: after this time a lesson expires. */
const maxAgeMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Stores what was learned about model servers in a file in the user's state folder. If the file cannot be read or
 * written, the only cost is one more refusal.
 */
export function lessonFile(
  file = path.join(stateFolder(), 'servers.json'),
  now: () => number = Date.now,
): LessonMemory {
  const read = (): z.infer<typeof StoredLessons> => {
    try {
      // Read first: usually the file does not exist, and the schema need not load.
      const kept: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
      return StoredLessons.parse(kept);
    } catch {
      return {};
    }
  };
  // Writes are rare: two processes that write at the same moment lose one lesson, which is then learned again.
  const write = (lessons: z.infer<typeof StoredLessons>): void => {
    const draft = `${file}.${process.pid}`;
    try {
      makeFolders(path.dirname(file));
      fs.writeFileSync(draft, JSON.stringify(lessons, null, 1), { mode: 0o600 });
      fs.renameSync(draft, file);
    } catch {
      fs.rmSync(draft, { force: true });
    }
  };
  return {
    read(server) {
      const kept = Object.entries(read()[server] ?? {});
      // A timestamp in the future was written with a wrong clock or by somebody else.
      const isCurrent = (at: number): boolean => at <= now() && now() - at < maxAgeMs;
      return kept.filter(([name, at]) => isLesson(name) && isCurrent(at)).map(([name]) => name as Lesson);
    },
    add(server, lesson) {
      const kept = read();
      write({ ...kept, [server]: { ...kept[server], [lesson]: now() } });
    },
    remove(server, lesson) {
      const kept = read();
      const { [lesson]: _gone, ...others } = kept[server] ?? {};
      write({ ...kept, [server]: others });
    },
  };
}
