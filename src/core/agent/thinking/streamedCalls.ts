import type { ReplyDelta } from '../../ports/model';
import type { Delta } from '../../../protocol/panel/panel';
import { PartialStrings } from '../../text/partialStrings';
import { namesOfDialect } from '../../tools/dialects/dialect';
import { intendedTool, type Offer } from '../../tools/dialects/understand';

type ToolDelta = Extract<ReplyDelta, { kind: 'tool' }>;

const maxPathLength = 500;

/** State of a call while its arguments arrive. */
interface CallInWriting {
  readonly strings: PartialStrings | undefined;
  path: string;
  isPathKnown: boolean;
  /** Text from the latest piece. */
  text: string;
  /** Last character that was reported. */
  last: string;
  isNextPart: boolean;
}

/**
 * Reports what a model writes into files while the call is still streaming: the path, then the text. Each tool declares
 * which arguments those are.
 */
export class StreamedCalls {
  private readonly calls = new Map<number, CallInWriting>();

  constructor(private readonly offer: Offer) {}

  /** Returns the deltas to show for one piece of a call. */
  deltasFor({ piece, ...delta }: ToolDelta): Delta[] {
    const { call } = delta;
    if (call === undefined || piece === undefined) return [delta];
    const streamed = this.calls.get(call) ?? this.begin(delta.tool);
    if (piece !== '') this.calls.set(call, streamed);
    streamed.text = '';
    streamed.strings?.add(piece);
    const path = streamed.isPathKnown ? { path: streamed.path } : {};
    const written: Delta[] = streamed.text === '' ? [] : [{ kind: 'written', call, text: streamed.text }];
    return [{ ...delta, ...path }, ...written];
  }

  /** Discards the streamed calls. */
  discard(): void {
    this.calls.clear();
  }

  private begin(name: string): CallInWriting {
    const begun = { path: '', isPathKnown: false, text: '', last: '\n', isNextPart: false };
    const tool = intendedTool({ id: '', tool: name, input: {} }, this.offer);
    if (!tool?.streamedArguments) return { ...begun, strings: undefined };
    const { path, texts } = tool.streamedArguments;
    const words = namesOfDialect(this.offer.dialect);
    const spellingsOf = (argument: string): string[] => [argument, words.argument(tool.name, argument)];
    const pathNames = new Set(path === undefined ? [] : spellingsOf(path));
    const textNames = new Set(texts.flatMap(spellingsOf));
    const call: CallInWriting = {
      ...begun,
      strings: new PartialStrings(
        (key) => pathNames.has(key) || textNames.has(key),
        (key, text, isEnd) => (pathNames.has(key) ? growPath(call, text, isEnd) : growText(call, text, isEnd)),
      ),
    };
    return call;
  }
}

function growPath(call: CallInWriting, text: string, isEnd: boolean): void {
  if (call.isPathKnown) return;
  call.path = (call.path + text).slice(0, maxPathLength);
  call.isPathKnown = isEnd;
}

/** Appends text. Each further text argument starts on a new line. */
function growText(call: CallInWriting, text: string, isEnd: boolean): void {
  if (isEnd) call.isNextPart = true;
  if (text === '') return;
  const breaks = call.isNextPart && call.last !== '\n' ? '\n' : '';
  call.isNextPart = false;
  call.text += breaks + text;
  call.last = text.at(-1)!;
}
