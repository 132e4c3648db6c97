/** What the shell says after a command: exit status, process id of the last background job (0: none) and folder. */
export interface Report { readonly nonce: string; readonly status: number; readonly background: number; readonly folder: string }

const shape = /\x1e([0-9a-f]{24})\x1f(\d*)\x1f(\d*)\x1f([\s\S]*?)\x1e\1\n/g;
const mostKept = 64 * 1024;

/** Finds reports in what the shell itself prints, however it is split; everything else there (prompts, job notices) is dropped. */
export class Replies {
  #kept = '';

  push(text: string): Report[] {
    this.#kept += text;
    const reports: Report[] = [];
    let end = 0;
    for (const match of this.#kept.matchAll(shape)) {
      reports.push({ nonce: match[1] ?? '', status: Number(match[2]), background: Number(match[3]), folder: match[4] ?? '' });
      end = match.index + match[0].length;
    }
    this.#kept = this.#kept.slice(end).slice(-mostKept);
    return reports;
  }
}
