import { failure } from '#contract/call.ts'
import { fileNameIn } from './file-name.ts'
import { progress } from './progress.ts'

/** Saves what an address gives as a file. By a call, not by a link: a link would save what went wrong instead. */
export async function saveFile(url: string, fallback: string): Promise<void> {
  const { blob, name } = await progress.during(fetchFile(url))
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name ?? fallback
  link.click()
  // The browser has to have begun reading it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

async function fetchFile(url: string) {
  const response = await fetch(url)
  if (!response.ok) throw failure(response.status, await response.json().catch(() => null))
  return { blob: await response.blob(), name: fileNameIn(response.headers.get('content-disposition')) }
}
