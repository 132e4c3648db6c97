import type { WireRules } from '../../../core/model/providers/provider';
import type { Manner } from '../openai/chatWire';
import { ofSession, rulesAfter, type Lesson } from './lessons';

/** Keeps what was learned about servers for later sessions. `server`: its request address and the model. */
export interface LessonMemory {
  read(server: string): readonly Lesson[];
  add(server: string, lesson: Lesson): void;
}

/** The rules for writing requests to one server: its usual rules, changed by what it was found to require. */
export class LearnedRules {
  private readonly lessons: Set<Lesson>;
  /** Lessons that no accepted request has confirmed yet. */
  private readonly unproven = new Set<Lesson>();
  private current: Manner;

  /** `server`: as in `LessonMemory`. Without a `memory`, the lessons are forgotten with this object. */
  constructor(
    private readonly usual: WireRules,
    private readonly server: string,
    private readonly memory: LessonMemory | undefined,
  ) {
    this.lessons = new Set(memory?.read(server));
    this.current = this.changed();
  }

  get manner(): Manner {
    return this.current;
  }

  get learnedLessons(): ReadonlySet<Lesson> {
    return this.lessons;
  }

  learn(lesson: Lesson): void {
    this.lessons.add(lesson);
    this.current = this.changed();
    this.unproven.add(lesson);
  }

  /** Saves the new lessons for later sessions. Call it when the server accepted a request that follows them. */
  keep(): void {
    for (const lesson of this.unproven) if (!ofSession.has(lesson)) this.memory?.add(this.server, lesson);
    this.unproven.clear();
  }

  private changed(): Manner {
    return { rules: rulesAfter(this.usual, this.lessons), version: [...this.lessons].join() };
  }
}
