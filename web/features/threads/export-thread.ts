import { useMutation } from '@tanstack/react-query'
import { failure } from '#contract/call.ts'
import type { ExportFormat, Thread } from '#contract/threads.ts'
import { progress } from '#web/lib/progress.ts'
import { fileNameIn } from './file-name.ts'

/** Saves a thread as a file. By a call, not by a link: a link would save what went wrong instead. */
export function useExportThread({ id, title }: Thread) {
  return useMutation({
    mutationFn: async (format: ExportFormat) => {
      const { blob, name } = await progress.during(fetchFile(id, format))
      save(blob, name ?? `${title}.${format}`)
    },
  })
}

async function fetchFile(id: string, format: ExportFormat) {
  const response = await fetch(`/api/threads/${encodeURIComponent(id)}/export?format=${format}`)
  if (!response.ok) throw failure(response.status, await response.json().catch(() => null))
  return { blob: await response.blob(), name: fileNameIn(response.headers.get('content-disposition')) }
}

function save(blob: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // The browser has to have begun reading it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
