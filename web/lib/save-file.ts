import { apiErrorOf } from '#contract/call.ts'
import { retryAfterDialog } from './api.ts'
import { progress } from './progress.ts'

/** Downloads a URL as a file with fetch: a plain link would save the error response. */
export async function saveFile(url: string, fallback: string): Promise<void> {
  const run = () => fetchFile(url)
  const { blob, name } = await progress.during(run().catch(retryAfterDialog(run)))
  saveBlob(blob, name ?? fallback)
}

async function fetchFile(url: string) {
  const response = await fetch(url)
  if (!response.ok) throw apiErrorOf(response.status, await response.json().catch(() => null))
  return { blob: await response.blob(), name: fileNameIn(response.headers.get('content-disposition')) }
}

/** The file name in a Content-Disposition header; an RFC 5987 name wins. */
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

export function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser must have started reading it before it is revoked.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
