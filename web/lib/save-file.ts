import { failed } from '#contract/call.ts'
import { fileNameIn } from './file-name.ts'
import { progress } from './progress.ts'
import { withProof } from './proof.ts'
import { saveBlob } from './save-blob.ts'

/** Saves what an address gives as a file. By a call, not by a link: a link would save what went wrong instead. */
export async function saveFile(url: string, fallback: string): Promise<void> {
  const { blob, name } = await progress.during(withProof(() => fetchFile(url)))
  saveBlob(blob, name ?? fallback)
}

async function fetchFile(url: string) {
  const response = await fetch(url)
  if (!response.ok) throw failed(response.status, await response.json().catch(() => null))
  return { blob: await response.blob(), name: fileNameIn(response.headers.get('content-disposition')) }
}
