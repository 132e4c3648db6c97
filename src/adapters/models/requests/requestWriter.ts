import { argumentsAsObject } from '../../../core/model/argumentsAsObject';
import type { WireRules } from '../../../core/model/providers/provider';
import type { ModelRequest } from '../../../core/ports/model';
import { growingBody, type BodyParts } from './growingBody';
import { wellFormed } from './wellFormed';
import { toolWriter, type WireTool } from './wireTools';

/** The user's settings that apply to every request of one model. */
export interface RequestSettings {
  readonly model: string;
  /** Server and model, as in `ModelReply.origin`. */
  readonly origin: string;
  readonly maxOutputTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly reasoningEffort?: string | undefined;
  /** Fields that are sent unchanged. */
  readonly extraBody: Record<string, unknown>;
}

/** The rules for writing a request; `version` changes whenever they do. */
export interface VersionedRules {
  readonly rules: WireRules;
  readonly version: string;
}

/** Passes the bytes of a request to `work`; they are valid until it settles. */
export type RequestWriter = <Answer>(
  request: ModelRequest,
  versioned: VersionedRules,
  work: (body: Buffer) => Promise<Answer>,
) => Promise<Answer>;

/** A request whose tools and parameters are ready to be written. */
interface PreparedRequest {
  readonly request: ModelRequest;
  readonly rules: WireRules;
  readonly tools: readonly WireTool[];
  /** False if the tools are only declared, so that the model must not call them. */
  readonly callable: boolean;
  /** The temperature of the request, else that of the settings. */
  readonly temperature: unknown;
}

/** The body of a request. A `variant` changes whenever equal messages are written differently by the same rules. */
type ProtocolBody = Omit<BodyParts, 'variant'> & { readonly variant?: string };

/**
 * Returns a writer for one protocol. `list`: the body's field with the messages. `bodyOf`: the rest is up to the
 * protocol, field by field. Fields of the user and of the request are added last.
 */
export function requestWriter(
  list: string,
  settings: RequestSettings,
  bodyOf: (prepared: PreparedRequest) => ProtocolBody,
): RequestWriter {
  const write = growingBody(list);
  const writeTools = toolWriter();
  return (request, { rules, version }, work) => {
    const { temperature = settings.temperature, ...others } = request.parameters ?? {};
    const { variant = '', rest, ...body } = bodyOf({ request, rules, ...writeTools(request, rules), temperature });
    const fields = { ...rest, ...settings.extraBody, ...others };
    return write({ ...body, variant: `${version} ${variant}`, rest: fields }, work);
  };
}

/** A prompt cache mark, among the fields of what it marks. */
export const cacheMark = { cache_control: { type: 'ephemeral' } } as const;

/** Returns whether requests for a model carry prompt cache marks. */
export const marksCache = ({ cacheMarks }: WireRules, model: string): boolean =>
  cacheMarks === 'claude' ? /claude|sonnet|opus|haiku|anthropic/i.test(model) : cacheMarks;

/**
 * Wraps arguments that most providers would refuse, so that the model can still read what it wrote. Servers in Rust also
 * refuse lone surrogates within them.
 */
export function wireArguments(text: string, { brokenArguments }: WireRules): string {
  const sound = wellFormed(text);
  return brokenArguments ? sound : argumentsAsObject(sound);
}
