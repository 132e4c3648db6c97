/** Maximum size of one response, or of a stream since its last event, in bytes. */
const maxResponseBytes = 16 << 20;
/** Number of events to accept before a pause of `pauseMs`, which allows 5,000 per second. */
const maxAtOnce = 100;
const pauseMs = 20;

const tooMuch = `It sent more than ${maxResponseBytes >> 20} MB without completing a message.`;

/**
 * A `fetch` whose responses fail before they fill the memory. A stream of events may be endless, but data without a
 * complete event is limited: an endless line, comments, empty lines. `onTooMuch` is called with a message. `connect` sends the request.
 */
export async function boundedFetch(
  url: string | URL,
  init?: RequestInit,
  onTooMuch: (words: string) => void = () => undefined,
  connect: (url: string | URL, init?: RequestInit) => Promise<Response> = fetch,
): Promise<Response> {
  const response = await connect(url, init);
  if (!response.body) return response;
  const streams = /event-stream/.test(response.headers.get('content-type') ?? '');
  const events = new EventCount();
  let size = 0;
  let restless = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      if (streams) events.read(chunk);
      size = streams ? events.unfinished : size + chunk.length;
      if (size > maxResponseBytes) {
        onTooMuch(tooMuch);
        controller.error(new Error(tooMuch));
        return;
      }
      controller.enqueue(chunk);
      restless += events.ended;
      if (restless < maxAtOnce) return;
      const rests = Math.floor(restless / maxAtOnce);
      restless %= maxAtOnce;
      await new Promise((resolve) => setTimeout(resolve, rests * pauseMs));
    },
  });
  const bounded = new Response(response.body.pipeThrough(counted), {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
  Object.defineProperty(bounded, 'url', { value: response.url });
  return bounded;
}

const [lineFeed, carriageReturn] = [10, 13];
const data = [...'data'].map((letter) => letter.charCodeAt(0));

/** Counts the events of a stream: lines that begin with "data", up to an empty line. Comments do not count. */
class EventCount {
  /** Number of events that ended in the last part. */
  ended = 0;
  /** Bytes since the end of the last event. */
  unfinished = 0;
  /** Number of bytes read of the current line, and how many of them match "data". */
  private column = 0;
  private matched = 0;
  private hasData = false;

  read(chunk: Uint8Array): void {
    this.ended = 0;
    for (const byte of chunk) {
      this.unfinished++;
      if (byte === lineFeed || byte === carriageReturn) this.lineEnds();
      else {
        if (this.matched === this.column && byte === data[this.column]) this.matched++;
        this.column++;
      }
    }
  }

  /** The line feed after a carriage return looks like another empty line, but then there is no data to end. */
  private lineEnds(): void {
    if (this.column > 0) this.hasData ||= this.matched === data.length;
    else if (this.hasData) {
      this.ended++;
      this.unfinished = 0;
      this.hasData = false;
    }
    this.column = this.matched = 0;
  }
}
