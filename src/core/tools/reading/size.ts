/** A number of bytes for people and models: "840 bytes", "12 KB", "3.8 MB". */
export function sizeInWords(bytes: number): string {
  if (bytes < 10_000) return `${bytes} bytes`;
  if (bytes < 1_048_576) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}
