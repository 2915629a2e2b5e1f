import { type ClipboardEvent, useCallback, useEffect, useState } from 'react'
import { drafts } from '#web/lib/drafts.ts'
import { notify } from '#web/lib/notify.ts'
import { sortFiles } from './file-limits.ts'
import { type Upload, uploadFile } from './uploads.ts'

/** Takes files however they come: chosen, pasted, dropped. */
export function useFiles(draft: string, uploads: readonly Upload[]) {
  const uploading = uploads.length
  const add = useCallback(
    (files: readonly File[]) => {
      const { taken, rejections } = sortFiles(files, drafts().read(draft).files.length + uploading)
      for (const file of taken) uploadFile(draft, file)
      if (rejections.length > 0)
        notify.error({ title: 'Не всё удалось приложить', description: [...new Set(rejections)].join(' ') })
    },
    [draft, uploading],
  )

  const onPaste = useCallback(
    (event: ClipboardEvent) => {
      const files = [...event.clipboardData.files]
      // Copied from a table or a document, a text comes with its picture: the text is meant.
      if (files.length === 0 || event.clipboardData.types.includes('text/plain')) return
      event.preventDefault()
      add(files)
    },
    [add],
  )

  return { add, onPaste, isOver: useDrop(add) }
}

/** Files may be dropped anywhere on the page. True while something hovers over it. */
function useDrop(add: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    function onDragOver(event: DragEvent) {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    function onDragLeave(event: DragEvent) {
      if (event.relatedTarget === null) setOver(false)
    }
    function onDrop(event: DragEvent) {
      setOver(false)
      if (!hasFiles(event)) return
      event.preventDefault()
      add([...(event.dataTransfer?.files ?? [])])
    }
    addEventListener('dragover', onDragOver)
    addEventListener('dragleave', onDragLeave)
    addEventListener('drop', onDrop)
    return () => {
      removeEventListener('dragover', onDragOver)
      removeEventListener('dragleave', onDragLeave)
      removeEventListener('drop', onDrop)
    }
  }, [add])
  return isOver
}
