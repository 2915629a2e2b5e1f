/** The name a server gives to a file, in letters of any alphabet if it says them. */
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
