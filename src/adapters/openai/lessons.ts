import type { ChatMessage, ModelRequest } from '../../core/model/model';
import { saysContextOverflow } from './contextOverflow';

/**
 * What a server was seen to want: requests are written accordingly from then on. `other_limit_name`: `max_completion_tokens` where
 * `max_tokens` was sent, or the other way round. `blank_reasoning`: no message of the model may come without `reasoning_content`.
 */
export type Lesson =
  | 'no_stream_options' | 'no_reasoning' | 'blank_reasoning' | 'no_cache_marks' | 'no_images' | 'one_reply' | 'other_limit_name' | 'no_limit';
export type Lessons = ReadonlySet<Lesson>;

/** What is known of a server before it is asked. OpenAI takes no reasoning back; DeepSeek and Kimi demand it, if only a blank. */
export function lessonsAbout(url: URL): Lesson[] {
  if (isOpenAi(url)) return url.pathname.endsWith('/responses') ? [] : ['no_reasoning'];
  return /(^|\.)(deepseek\.com|moonshot\.(ai|cn)|kimi\.com)$/.test(url.hostname) ? ['blank_reasoning'] : [];
}

export const isOpenAi = ({ hostname }: URL): boolean => hostname === 'api.openai.com' || hostname.endsWith('.openai.azure.com');

export interface Refused {
  readonly status: number;
  readonly text: string;
  readonly request: Pick<ModelRequest, 'messages' | 'n'>;
  readonly lessons: Lessons;
  /** Whether the request held marks for the prompt cache, and a limit of the output. */
  readonly marked: boolean;
  readonly limited: boolean;
  /** Whether the request asked for sealed reasoning. */
  readonly sealed: boolean;
}

/** What a refusal teaches, when the request can be sent again in another way. */
export function lessonFrom({ status, text, request: { messages, n = 1 }, lessons, marked, limited, sealed }: Refused): Lesson | undefined {
  const is = (lesson: Lesson): boolean => lessons.has(lesson);
  const hasImages = messages.some(message => message.role === 'user' && message.images?.length);
  if (hasImages && !is('no_images') && status >= 400 && /\bimages?\b|image_url|input_image|vision|multi-?modal|mmproj/i.test(text)) return 'no_images';
  if (status !== 400 && status !== 422) return undefined;
  if (!is('no_stream_options') && /stream_options|include_usage/i.test(text)) return 'no_stream_options';
  if (marked && !is('no_cache_marks') && /cache_control/i.test(text)) return 'no_cache_marks';
  if (n > 1 && !is('one_reply') && /["'`]n["'`]|\bn (must|is|should)\b|multiple (candidates|choices|completions)|candidate_?count/i.test(text)) return 'one_reply';
  if (limited && !is('no_limit') && /max_(completion_|output_)?tokens/i.test(text) && (!saysContextOverflow(text) || /too (large|high)/i.test(text))) {
    return is('other_limit_name') || /max_output_tokens/i.test(text) || /too (large|high)|at most|exceed|less than|range/i.test(text) ? 'no_limit' : 'other_limit_name';
  }
  return reasoningLesson(text, messages, sealed, is);
}

function reasoningLesson(text: string, messages: readonly ChatMessage[], sealed: boolean, is: (lesson: Lesson) => boolean): Lesson | undefined {
  if (!/reasoning|thinking|encrypted.content/i.test(text) || is('no_reasoning')) return undefined;
  const sent = messages.flatMap(message => (message.role === 'assistant' ? [message.reasoning] : []));
  // A provider that misses its reasoning must not be sent less of it.
  if (/pass(ed)? back|missing|required(?! following)|must start with|expected .?(thinking|redacted)/i.test(text)) {
    return /reasoning_content/.test(text) && !is('blank_reasoning') && sent.some(reasoning => reasoning?.field !== 'reasoning_content') ? 'blank_reasoning' : undefined;
  }
  return sealed || sent.some(Boolean) ? 'no_reasoning' : undefined;
}
