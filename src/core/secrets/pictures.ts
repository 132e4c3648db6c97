/** How the data of pictures begin in base64: PNG, JPEG, GIF, WebP, BMP, TIFF. */
const beginnings = /^(?:iVBORw0KGgo|\/9j\/|R0lGODdh|R0lGODlh|UklGR|Qk[0-3]|SUkqAA|TU0AKg)[A-Za-z0-9+/]*={0,2}$/;

/** Whether a text is a picture in base64, in which nothing can be masked without breaking it. */
export const isPictureData = (text: string): boolean => beginnings.test(text);
