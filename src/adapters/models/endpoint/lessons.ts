import { anyOf } from '../../../core/text/alternatives';
import { hasImages, hasOlderImages, imageLength } from '../../../core/model/images';
import type { ModelRequest } from '../../../core/ports/model';
import { isJsonObject } from '../../../core/model/argumentsAsObject';
import type { WireRules } from '../../../core/model/providers/provider';
import { isTemplateError } from './errorBody';
import { isContextOverflow } from './contextOverflow';

/** What a server was found to require, as changes to the rules for writing requests. */
const changes = {
  no_stream_options: () => ({ streamUsage: false }),
  no_reasoning: () => ({ reasoning: 'never', reasoningRequired: false, boundThinking: false }),
  /** Signed thinking is valid only after the chat for which it was written. */
  bound_thinking: () => ({ boundThinking: true }),
  /** No message of the model may lack `reasoning_content`. */
  blank_reasoning: () => ({ reasoning: 'reasoning_content', reasoningRequired: true }),
  no_cache_marks: () => ({ cacheMarks: false }),
  no_images: () => ({ images: false }),
  /** The images were too many, or too large together: this session continues with the latest. */
  recent_images: () => ({ recentImagesOnly: true }),
  /** An image was refused, perhaps for its size: this session continues without images, later ones try again. */
  refused_images: () => ({ images: false }),
  one_reply: () => ({ severalReplies: false }),
  other_limit_name: ({ limit }) => ({ limit: limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens' }),
  no_limit: () => ({ limit: null }),
  no_temperature: () => ({ temperature: false }),
  no_effort: () => ({ effort: null }),
  no_effort_with_tools: () => ({ effortWithTools: 'none' }),
  short_ids: () => ({ callIds: 'nine' }),
  no_neighbours: () => ({ neighbours: false }),
  no_user_after_tool: () => ({ userAfterTool: false }),
  one_call: () => ({ severalCalls: false }),
  whole_arguments: () => ({ brokenArguments: false }),
  thought_signatures: () => ({ thoughtSignatures: true }),
  former_tools: () => ({ formerTools: true }),
  strictest_schema: () => ({ schema: 'gemini' }),
  /** The model requires the other protocol; see `compatibleModel`. */
  other_protocol: () => ({}),
} satisfies Record<string, (rules: WireRules) => Partial<WireRules>>;

/** What a server taught by refusing a request: a name in the table above. */
export type Lesson = keyof typeof changes;

/** Lessons that are forgotten when the session ends. */
export const ofSession: ReadonlySet<Lesson> = new Set<Lesson>(['recent_images', 'refused_images']);

export const isLesson = (name: unknown): name is Lesson => typeof name === 'string' && Object.hasOwn(changes, name);

/** Returns the rules with these lessons applied, in the order in which they were learned. */
export const rulesAfter = (rules: WireRules, lessons: Iterable<Lesson>): WireRules =>
  [...lessons].reduce<WireRules>((known, lesson) => ({ ...known, ...changes[lesson](known) }), rules);

/** A refused request and its answer. */
export interface Refused {
  readonly status: number;
  readonly text: string;
  readonly request: Pick<ModelRequest, 'messages' | 'tools' | 'formerTools' | 'n'>;
  /** Lessons already learned about the server, and the resulting rules by which the request was written. */
  readonly learnedLessons: ReadonlySet<Lesson>;
  readonly rules: WireRules;
  /**
   * What the request contained: prompt cache marks, an output limit, a temperature, an effort, a request for encrypted
   * reasoning.
   */
  readonly sent: {
    readonly marks: boolean;
    readonly limit: boolean;
    readonly temperature: boolean;
    readonly effort: boolean;
    readonly sealed: boolean;
  };
}

/**
 * Returns the lesson from a refusal if the request can be sent again in another way; undefined if there is none or it
 * is already known.
 */
export function lessonFrom(refused: Refused): Lesson | undefined {
  const lesson = lessonIn(refused);
  return lesson && !refused.learnedLessons.has(lesson) ? lesson : undefined;
}

function lessonIn(refused: Refused): Lesson | undefined {
  const { status, text, rules } = refused;
  const contentLesson = imageLesson(refused) ?? argumentsLesson(refused);
  if (contentLesson) return contentLesson;
  if (status !== 400 && status !== 422 && !isTemplateError(text)) return undefined;
  const speaksOfBinding = /block_binding|thinking-binding-controls|bound to a different/i.test(text);
  if (speaksOfBinding && rules.reasoning !== 'never') return rules.boundThinking ? 'no_reasoning' : 'bound_thinking';
  if (/thinking.{0,3} blocks?\b/i.test(text)) return reasoningLesson(refused);
  return optionLesson(refused) ?? limitLesson(refused) ?? shapeLesson(refused) ?? reasoningLesson(refused);
}

function imageLesson({ status, text, request, rules }: Refused): Lesson | undefined {
  if (!rules.images || status < 400 || status === 429 || !hasImages(request.messages)) return undefined;
  const speaksOfImages = /\bimages?\b|image_url|input_image|vision|multi-?modal|mmproj/i.test(text);
  if (speaksOfImages && refusesAllImages(text)) return 'no_images';
  // A request that is too large is refused by its number of bytes, of which the images are usually the most.
  const isTooLarge = status === 413 && imageLength(request.messages) > muchImageData;
  if (!speaksOfImages && !isTooLarge) return undefined;
  return hasOlderImages(request.messages) && !rules.recentImagesOnly ? 'recent_images' : 'refused_images';
}

/** In characters of base64. Some gateways accept no more than 1 MB. */
const muchImageData = 500_000;

/** llama.cpp answers 500 to arguments that it cannot parse. */
function argumentsLesson({ status, text, request, rules }: Refused): Lesson | undefined {
  const speaksOfArguments = /tool call arguments|arguments.{0,40}json|invalid json.{0,60}arguments/i.test(text);
  const isRefused = rules.brokenArguments && status >= 400 && speaksOfArguments && hasBrokenArguments(request);
  return isRefused ? 'whole_arguments' : undefined;
}

/** Returns the lesson about an optional field of the request. */
function optionLesson({ text, request, rules, sent }: Refused): Lesson | undefined {
  if (rules.streamUsage && /stream_options|include_usage/i.test(text)) return 'no_stream_options';
  if (sent.marks && /cache_control/i.test(text)) return 'no_cache_marks';
  if (rules.severalReplies && (request.n ?? 1) > 1 && refusesSeveral(text)) return 'one_reply';
  if (rules.effortWithTools === undefined && request.tools.length > 0 && /tools? with reasoning_effort/i.test(text))
    return 'no_effort_with_tools';
  if (sent.effort && mentionsEffort.test(text)) return 'no_effort';
  return sent.temperature && /temperature/i.test(text) ? 'no_temperature' : undefined;
}

const mentionsEffort = anyOf(
  [
    /reasoning.?effort/,
    'enable_thinking output_config budget_tokens',
    /\bthinking\b.{0,60}(support|unknown|unrecognized|not)/,
  ],
  'i',
);

/** Whether a refusal is about images as such, rather than about one of them, their size or their number. */
const refusesAllImages = (text: string): boolean => !aboutSomeImages.test(text);

const aboutSomeImages = anyOf(
  [
    /too (large|big|many)/,
    'exceed damaged corrupt decode malformed dimension',
    /could not|\bsize\b|\bformat\b|media.?type|(in)?valid (image|base64|url)/,
    /\b\d+ (images?|pictures?)\b|(maximum|at most|up to|limit)\D{0,40}\d/,
  ],
  'i',
);

const refusesSeveral = (text: string): boolean =>
  /["'`]n["'`]|\bn (must|is|should)\b|multiple (candidates|choices|completions)|candidate_?count/i.test(text);

function limitLesson({ text, learnedLessons, rules, sent }: Refused): Lesson | undefined {
  const tooLarge = /too (large|high)/i.test(text);
  if (!sent.limit || rules.limit === null || !/max_(completion_|output_)?tokens/i.test(text)) return undefined;
  if (isContextOverflow(text) && !tooLarge) return undefined;
  const otherHelps = !learnedLessons.has('other_limit_name') && !/max_output_tokens/i.test(text);
  const isAmount = tooLarge || /at most|exceed|less than|range|maximum allowed/i.test(text);
  return otherHelps && !isAmount ? 'other_limit_name' : 'no_limit';
}

const mentionsSchema = anyOf(
  [
    /invalid schema for function/,
    'invalid_function_parameters input_schema function_declarations',
    /invalid JSON schema/,
    /tools?\.\d+.{0,40}(parameters|schema)/,
    // llama.cpp converts the schemas of all tools to a grammar and does not tell which one failed.
    /(failed to parse|error parsing) grammar/,
  ],
  'i',
);

/** Returns the lesson about the structure of messages and tools. */
function shapeLesson({ text, request, rules }: Refused): Lesson | undefined {
  if (
    rules.callIds !== 'nine' &&
    /tool.?call.?id|tool_use\.id|tool_calls\[\d+\]\.id/i.test(text) &&
    /length|pattern|must be|too long/i.test(text)
  )
    return 'short_ids';
  const wantsAlternation = /roles? must alternate|alternating roles|consecutive/i.test(text);
  if (rules.neighbours && wantsAlternation && hasNeighbours(request)) return 'no_neighbours';
  const refusesUserAfterTool =
    /unexpected role .?user.? after role .?tool/i.test(text) ||
    // Templates of Mistral's models count neither calls nor results, so that two messages of the user seem adjacent.
    (wantsAlternation && hasUserAfterTool(request));
  if (rules.userAfterTool && refusesUserAfterTool) return 'no_user_after_tool';
  // Templates of Llama 3.
  if (rules.severalCalls && hasSeveralCalls(request) && /only supports? single tool.?calls?/i.test(text))
    return 'one_call';
  const wantsTools =
    /must (define|include) tools|`?tools=?`? (param|field).{0,60}(tool calling|tool_use|required)|toolConfig field must be defined/i.test(
      text,
    );
  if (!rules.formerTools && request.formerTools?.length && wantsTools) return 'former_tools';
  if (!rules.thoughtSignatures && /missing (a )?thought_signature/i.test(text)) return 'thought_signatures';
  return rules.schema !== 'gemini' && request.tools.length > 0 && mentionsSchema.test(text)
    ? 'strictest_schema'
    : undefined;
}

function reasoningLesson({ text, request: { messages }, rules, sent }: Refused): Lesson | undefined {
  if (!/reasoning|thinking|encrypted.content/i.test(text)) return undefined;
  const reasonings = messages.flatMap((message) => (message.role === 'assistant' ? [message.reasoning] : []));
  // If a provider complains about missing reasoning, sending less of it cannot help.
  if (/pass(ed)? back|missing|required(?! following)|must start with|expected .?(thinking|redacted)/i.test(text)) {
    const missesText =
      /reasoning_content/.test(text) && reasonings.some((reasoning) => reasoning?.field !== 'reasoning_content');
    return missesText && !rules.reasoningRequired ? 'blank_reasoning' : undefined;
  }
  return rules.reasoning !== 'never' && (sent.sealed || reasonings.some(Boolean)) ? 'no_reasoning' : undefined;
}

const hasNeighbours = ({ messages }: Refused['request']): boolean =>
  messages.some(({ role }, index) => role === 'user' && messages[index - 1]?.role === 'user');

const hasUserAfterTool = ({ messages }: Refused['request']): boolean =>
  messages.some(({ role }, index) => role === 'user' && messages[index - 1]?.role === 'tool');

const hasSeveralCalls = ({ messages }: Refused['request']): boolean =>
  messages.some((message) => message.role === 'assistant' && (message.tool_calls?.length ?? 0) > 1);

const hasBrokenArguments = ({ messages }: Refused['request']): boolean =>
  messages.some(
    (message) =>
      message.role === 'assistant' && message.tool_calls?.some((call) => !isJsonObject(call.function.arguments)),
  );
