import { cleanText } from '../terminal/output/cleanText';

/** Characters that are kept of what a server prints beside its messages. */
const most = 64 * 1024;

/** What a server printed beside its messages, the end of it: it may print for ever. */
export class ServerLog {
  private kept = '';
  private lost = 0;

  add(text: string): void {
    this.kept += text;
    if (this.kept.length <= 2 * most) return;
    this.lost += this.kept.length - most;
    this.kept = this.kept.slice(-most);
  }

  /** For people: without control sequences. */
  get text(): string {
    const left = this.lost + Math.max(0, this.kept.length - most);
    return `${left > 0 ? `[${left.toLocaleString('en')} characters before this are left out.]\n` : ''}${cleanText(this.kept.slice(-most))}`;
  }

  /** Its last lines, for an error. */
  get lastWords(): string {
    return cleanText(this.kept.slice(-1500)).trim().split('\n').slice(-5).join('\n').slice(-600);
  }
}
