import { useMutation } from '@tanstack/react-query'
import type { ExportFormat, Thread } from '#contract/threads.ts'
import { saveFile } from '#web/lib/save-file.ts'

export function useExportThread({ id, title }: Thread) {
  return useMutation({
    mutationFn: (format: ExportFormat) =>
      saveFile(`/api/threads/${encodeURIComponent(id)}/export?format=${format}`, `${title}.${format}`),
  })
}
