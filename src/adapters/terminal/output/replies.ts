/** What the shell says after a command: exit status, process id of the last background job (0: none) and folder. */
export interface Report {
  readonly nonce: string;
  readonly status: number;
  readonly background: number;
  readonly folder: string;
}

/** The beginning of a report; behind it are the folder and what `endOf` says. */
const beginning = /\x1e([0-9a-f]{24})\x1f(\d*)\x1f(\d*)\x1f/g;
const endOf = (nonce: string): string => `\x1e${nonce}\n`;
const mostKept = 64 * 1024;

/** Finds reports in what the shell itself prints, however it is split; everything else there (prompts, job notices) is dropped. */
export class Replies {
  #kept = '';

  push(text: string): Report[] {
    this.#kept += text;
    const reports: Report[] = [];
    let end = 0;
    for (const { 0: begun, 1: nonce = '', 2: status, 3: background, index } of this.#kept.matchAll(beginning)) {
      if (index < end) continue;
      const folderEnd = this.#kept.indexOf(endOf(nonce), index + begun.length);
      if (folderEnd < 0) continue;
      const folder = this.#kept.slice(index + begun.length, folderEnd);
      reports.push({ nonce, status: Number(status), background: Number(background), folder });
      end = folderEnd + endOf(nonce).length;
    }
    this.#kept = this.#kept.slice(end).slice(-mostKept);
    return reports;
  }
}
