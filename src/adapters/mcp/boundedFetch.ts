/** Bytes of one answer, or of a stream since its last event. */
const most = 16 << 20;
/** Events that are taken without a rest, and how long that is: 5,000 in a second. */
const mostAtOnce = 100;
const restMs = 20;

const tooMuch = `It sent more than ${most >> 20} MB without a message that ends.`;

/**
 * `fetch` whose answers end with an error before they fill the memory. A stream of events may go on for ever, but what
 * it sends without an event is bounded: a line without an end, comments, empty lines. `onTooMuch` is told in words.
 */
export async function boundedFetch(
  url: string | URL,
  init?: RequestInit,
  onTooMuch: (words: string) => void = () => undefined,
): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.body) return response;
  const streams = /event-stream/.test(response.headers.get('content-type') ?? '');
  const events = new EventCount();
  let size = 0;
  let restless = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      if (streams) events.read(chunk);
      size = streams ? events.unfinished : size + chunk.length;
      if (size > most) {
        onTooMuch(tooMuch);
        controller.error(new Error(tooMuch));
        return;
      }
      controller.enqueue(chunk);
      restless += events.ended;
      if (restless < mostAtOnce) return;
      const rests = Math.floor(restless / mostAtOnce);
      restless %= mostAtOnce;
      await new Promise((resolve) => setTimeout(resolve, rests * restMs));
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

/**
 * Counts the events of a stream as they pass: lines that begin with "data", up to an empty line. Comments are no
 * events.
 */
class EventCount {
  /** How many events the last part ended. */
  ended = 0;
  /** Bytes since the last event that ended. */
  unfinished = 0;
  /** How many bytes of the line are read, and how many of them are those of "data". */
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

  /** The line feed behind a carriage return ends an empty line once more, which ends nothing that has data. */
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
