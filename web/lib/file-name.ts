/** The file name of a Content-Disposition header; RFC 5987 names come first. */
export function fileNameIn(disposition: string | null): string | null {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (encoded) return decode(encoded)
  return /filename="([^"]+)"/i.exec(disposition ?? '')?.[1] ?? null
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
