/** Bytes of one answer, or of one event of a stream. */
const most = 16 << 20;

/** `fetch` whose answers end with an error before they fill the memory. A stream of events may go on for ever, each of them is bounded. */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.body) return response;
  const streams = /event-stream/.test(response.headers.get('content-type') ?? '');
  let size = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const ended = streams ? lastEnd(chunk) : -1;
      size = ended < 0 ? size + chunk.length : chunk.length - ended;
      if (size > most) controller.error(new Error(`The server sent more than ${most >> 20} MB at once.`));
      else controller.enqueue(chunk);
    },
  });
  const bounded = new Response(response.body.pipeThrough(counted), { status: response.status, statusText: response.statusText, headers: response.headers });
  Object.defineProperty(bounded, 'url', { value: response.url });
  return bounded;
}

/** Behind the last empty line of a part of a stream; -1 where it has none. */
function lastEnd(chunk: Uint8Array): number {
  for (let at = chunk.length - 1; at > 0; at--) if (chunk[at] === 10 && (chunk[at - 1] === 10 || (chunk[at - 1] === 13 && chunk[at - 2] === 10))) return at + 1;
  return -1;
}
